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

#include "errorReport.H"
#include "latticeMemory.H"

#include <new>
#include <stdexcept>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Print a caught error and exit, or abort with FOAM_ABORT
template<class Error>
[[noreturn]] void end(Error& err)
{
    FatalError.throwExceptions(false);
    FatalIOError.throwExceptions(false);
    err.throwExceptions(false);
    err.exit();

    ::exit(1);
}


} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

int Foam::reportErrors(const std::function<int()>& function)
{
    const bool throwing = FatalError.throwExceptions();
    const bool throwingIO = FatalIOError.throwExceptions();

    // OpenFOAM's aborts
    const std::new_handler noMemory = std::set_new_handler(nullptr);

    int status = 1;

    try
    {
        try
        {
            status = function();
        }
        catch (const Foam::error&)
        {
            throw;
        }
        catch (const std::bad_alloc&)
        {
            refuseMemory("the run", 0);
        }
        catch (const std::length_error&)
        {
            refuseMemory("a list of the run", 0);
        }
        catch (const std::exception& err)
        {
            FatalErrorInFunction
                << err.what()
                << Foam::exit(FatalError);
        }
    }
    catch (Foam::IOerror& err)
    {
        end(err);
    }
    catch (Foam::error& err)
    {
        // OpenFOAM gives some messages to the one and exits with the other
        if (err.message().empty() && !FatalIOError.message().empty())
        {
            end(FatalIOError);
        }

        end(err);
    }

    FatalError.throwExceptions(throwing);
    FatalIOError.throwExceptions(throwingIO);
    std::set_new_handler(noMemory);

    return status;
}


// ************************************************************************* //
