#include "pictureFile.H"
#include "viewDisplay.H"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace lbmView
{

void writePicture(const viewPicture& picture, const std::string& file)
{
    vtkNew<vtkImageData> image;
    image->SetDimensions(picture.width, picture.height, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    const std::size_t row = 3*std::size_t(picture.width);
    for (int y = 0; y < picture.height; ++y)
    {
        std::memcpy
        (
            image->GetScalarPointer(0, picture.height - 1 - y, 0),
            &picture.rgb[row*y],
            row
        );
    }

    // In memory first: an error of the disk is ours to see
    vtkNew<vtkPNGWriter> writer;
    writer->SetInputData(image);
    writer->SetCompressionLevel(4);
    writer->WriteToMemoryOn();
    writer->Write();
    vtkUnsignedCharArray* const bytes = writer->GetResult();

    errno = 0;
    std::ofstream os(file, std::ios::binary);
    os.write
    (
        reinterpret_cast<const char*>(bytes->GetPointer(0)),
        bytes->GetNumberOfTuples()
    );
    os.close();
    if (!os)
    {
        throw viewError
        (
            "the picture " + file + " cannot be written: "
          + std::strerror(errno)
        );
    }
}

} // End namespace lbmView
