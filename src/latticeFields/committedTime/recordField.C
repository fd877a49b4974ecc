/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | lbmGpuFoam: lattice Boltzmann for OpenFOAM
   \\    /   O peration     |
    \\  /    A nd           |
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam.

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

#include "recordField.H"
#include "surfaceFields.H"
#include "volFields.H"

#include <type_traits>
#include <typeinfo>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Smaller ones are recorded as fast
constexpr label minElements = 1 << 14;


//- As GeometricField::writeData() has it
template<class FieldType>
bool recordAs(const regIOobject& io, recordedStream& os)
{
    using Type = typename FieldType::value_type;

    const auto* field = dynamic_cast<const FieldType*>(&io);

    // What is derived from it may write something else
    if
    (
        !field
     || typeid(io) != typeid(FieldType)
     || field->size() < minElements
     || field->primitiveField().uniform()
    )
    {
        return false;
    }

    os.writeEntry("dimensions", field->dimensions());
    field->oriented().writeEntry(os);

    os << nl << nl;

    os.writeKeyword("internalField")
        << word("nonuniform") << token::SPACE
        << word("List<" + word(pTraits<Type>::typeName) + '>') << token::SPACE;

    os.writeList
    (
        reinterpret_cast<const double*>(field->primitiveField().cdata()),
        field->size(),
        pTraits<Type>::nComponents
    );

    os << token::END_STATEMENT << nl << nl;

    field->boundaryField().writeEntry("boundaryField", os);

    return true;
}


template<class Type>
bool recordOf(const regIOobject& io, recordedStream& os)
{
    return
        recordAs<GeometricField<Type, fvPatchField, volMesh>>(io, os)
     || recordAs<GeometricField<Type, fvsPatchField, surfaceMesh>>(io, os);
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

bool Foam::recordField(const regIOobject& io, recordedStream& os)
{
    return
        std::is_same<scalar, double>::value
     && os.canWriteList()
     && (
            recordOf<scalar>(io, os)
         || recordOf<vector>(io, os)
         || recordOf<symmTensor>(io, os)
         || recordOf<tensor>(io, os)
        );
}


// ************************************************************************* //
