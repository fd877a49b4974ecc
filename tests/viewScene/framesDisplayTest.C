// Pictures in PNG files

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>

#include "framesDisplay.H"
#include "viewCase.H"

#include <fstream>

#include <fcntl.h>

namespace lbmTest
{

using lbmView::framesDisplay;
using lbmView::viewPicture;

namespace
{

viewPicture noise(int width, int height, unsigned seed)
{
    viewPicture p;
    p.width = width;
    p.height = height;
    for (int i = 0; i < 3*width*height; ++i)
    {
        seed = 1664525*seed + 1013904223;
        p.rgb.push_back(std::uint8_t(seed >> 24));
    }
    return p;
}


viewPicture readPng(const std::string& file)
{
    viewPicture p;
    vtkNew<vtkPNGReader> reader;
    if (!reader->CanReadFile(file.c_str()))
    {
        return p;
    }
    reader->SetFileName(file.c_str());
    reader->Update();
    vtkImageData* image = reader->GetOutput();
    int dims[3];
    image->GetDimensions(dims);
    p.width = dims[0];
    p.height = dims[1];
    const auto* rgb =
        static_cast<const unsigned char*>(image->GetScalarPointer());
    for (int y = p.height - 1; y >= 0; --y)
    {
        p.rgb.insert
        (
            p.rgb.end(),
            rgb + 3*y*p.width,
            rgb + 3*(y + 1)*p.width
        );
    }
    return p;
}

} // End unnamed namespace


TEST(framesDisplay, filesEqualPictures)
{
    temporaryFolder temporary;
    const std::string folder = temporary.path + "/a/b";
    constexpr int n = 25;

    {
        framesDisplay frames(folder, false, 2);
        EXPECT_TRUE(frames.wanted());
        EXPECT_TRUE(frames.events().empty());
        EXPECT_EQ(frames.where(), folder);
        for (int i = 0; i < n; ++i)
        {
            frames.show(noise(31 + i, 17, i), i, 0.1*i);
        }
    }
    for (int i = 0; i < n; ++i)
    {
        const std::string file = framesDisplay::fileName(folder, i + 1);
        const viewPicture expected = noise(31 + i, 17, i);
        const viewPicture found = readPng(file);
        EXPECT_EQ(found.width, expected.width) << file;
        EXPECT_EQ(found.rgb, expected.rgb) << file;
    }
    EXPECT_EQ
    (
        framesDisplay::fileName(folder, 1),
        folder + "/picture_000001.png"
    );
}


TEST(framesDisplay, numbersGoOnAfterARestart)
{
    temporaryFolder folder;
    const auto files = [&]()
    {
        const std::filesystem::directory_iterator all(folder.path);
        return std::distance(begin(all), end(all));
    };

    framesDisplay(folder.path).show(noise(8, 8, 1), 1, 1);
    framesDisplay(folder.path, true).show(noise(8, 8, 2), 2, 2);
    framesDisplay(folder.path, true).show(noise(8, 8, 3), 3, 3);
    EXPECT_EQ(files(), 3);
    EXPECT_EQ
    (
        readPng(framesDisplay::fileName(folder.path, 3)).rgb,
        noise(8, 8, 3).rgb
    );

    // Files of others stay
    std::ofstream(folder.path + "/picture_of_mine.png") << "x";
    framesDisplay(folder.path).show(noise(8, 8, 4), 1, 1);
    EXPECT_EQ(files(), 2);
    EXPECT_EQ
    (
        readPng(framesDisplay::fileName(folder.path, 1)).rgb,
        noise(8, 8, 4).rgb
    );
}


TEST(framesDisplay, unwritableFoldersAreErrors)
{
    EXPECT_THROW(framesDisplay("/proc/pictures"), lbmView::viewError);

    temporaryFolder folder;
    std::ofstream(folder.path + "/file") << "x";
    EXPECT_THROW(framesDisplay(folder.path + "/file"), lbmView::viewError);

    // Lost while it is written to: said by the next call, once
    framesDisplay frames(folder.path + "/lost");
    frames.show(noise(8, 8, 1), 1, 1);
    frames.finish();
    std::filesystem::remove_all(folder.path + "/lost");
    frames.show(noise(8, 8, 1), 2, 2);
    EXPECT_THROW(frames.finish(), lbmView::viewError);
    EXPECT_NO_THROW(frames.finish());

    // Nothing to write
    frames.show(viewPicture(), 3, 3);
    EXPECT_THROW(frames.finish(), lbmView::viewError);
}

} // End namespace lbmTest
