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

#include "jpegEncoder.H"

#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstring>

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

lbmView::jpegEncoder::jpegEncoder(const int quality)
{
    writer_->SetInputData(image_);
    writer_->SetQuality(quality);
    writer_->ProgressiveOff();
    writer_->WriteToMemoryOn();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void lbmView::jpegEncoder::encode
(
    const viewPicture& picture,
    std::vector<std::uint8_t>& bytes
)
{
    const int width = picture.width;
    const int height = picture.height;

    const int* size = image_->GetDimensions();
    if (size[0] != width || size[1] != height)
    {
        image_->SetDimensions(width, height, 1);
        image_->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    }

    // VTK counts rows from the bottom
    const std::size_t row = 3*static_cast<std::size_t>(width);
    auto* to = static_cast<std::uint8_t*>(image_->GetScalarPointer());
    for (int j = 0; j < height; ++j)
    {
        std::memcpy(to + (height - 1 - j)*row, &picture.rgb[j*row], row);
    }
    image_->Modified();

    writer_->Write();

    vtkUnsignedCharArray* result = writer_->GetResult();
    const std::uint8_t* first = result->GetPointer(0);
    bytes.insert(bytes.end(), first, first + result->GetNumberOfValues());
}


// ************************************************************************* //
