/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | OpenFOAM: The Open Source CFD Toolbox
   \\    /   O peration     |
    \\  /    A nd           | www.openfoam.com
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam, a plugin for OpenFOAM.

    lbmGpuFoam is free software: you can redistribute it and/or modify it
    under the terms of the GNU General Public License as published by
    the Free Software Foundation, either version 3 of the License, or
    (at your option) any later version.

    lbmGpuFoam is distributed in the hope that it will be useful, but WITHOUT
    ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
    FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
    for more details.

    You should have received a copy of the GNU General Public License
    along with lbmGpuFoam.  If not, see <http://www.gnu.org/licenses/>.
\*---------------------------------------------------------------------------*/

#include "latticePatch.H"
#include "localIOdictionary.H"

// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

template<class Type>
Foam::dictionary Foam::latticePatch::fieldDict
(
    const GeometricField<Type, fvPatchField, volMesh>& field,
    const fvPatch& patch
)
{
    typedef GeometricField<Type, fvPatchField, volMesh> fieldType;

    IOobject io
    (
        field.name(),
        field.instance(),
        field.db(),
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );

    if (io.typeHeaderOk<fieldType>(false))
    {
        const localIOdictionary fileDict(io, fieldType::typeName);
        const dictionary& patchDicts = fileDict.subDict("boundaryField");

        // An entry may also stand for a group, or be a pattern
        const entry* entryPtr =
            patchDicts.findEntry(patch.name(), keyType::REGEX);

        for (const word& group : patch.patch().inGroups())
        {
            if (!entryPtr)
            {
                entryPtr = patchDicts.findEntry(group, keyType::REGEX);
            }
        }

        if (entryPtr && entryPtr->isDict())
        {
            return entryPtr->dict();
        }

        return patchDicts;
    }

    return dictionary(field.objectPath() + ".boundaryField." + patch.name());
}


template<class Type>
void Foam::latticePatch::refuse
(
    const GeometricField<Type, fvPatchField, volMesh>& field,
    const fvPatch& patch,
    const string& what,
    const string& possible
)
{
    const dictionary dict(fieldDict(field, patch));

    FatalIOErrorInFunction(dict)
        << "Patch " << patch.name() << " (type " << patch.type()
        << ") of field " << field.name() << " in "
        << field.objectPath() << nl
        << "    found    : " << what.c_str() << nl
        << "    possible : " << possible.c_str() << nl
        << exit(FatalIOError);
}


template<class Type>
void Foam::latticePatch::checkPlain
(
    const fvPatch& patch,
    const GeometricField<Type, fvPatchField, volMesh>& field
)
{
    const word& type = field.boundaryField()[patch.index()].type();

    if (type != patch.type())
    {
        refuse
        (
            field,
            patch,
            "type " + type + ", for which the lattice has no treatment",
            "type " + patch.type() + " alone"
        );
    }
}


// ************************************************************************* //
