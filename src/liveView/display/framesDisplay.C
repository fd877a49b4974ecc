#include <vtkErrorCode.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include "framesDisplay.H"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace lbmView
{

namespace
{

const char* const prefix = "picture_";
const char* const suffix = ".png";

// Fast: films are compressed again
constexpr int compression = 2;


// Number of a picture's file; 0 if it is none
long numberOf(const std::string& name)
{
    const std::size_t before = std::strlen(prefix), after = std::strlen(suffix);
    if
    (
        name.size() <= before + after
     || name.compare(0, before, prefix) != 0
     || name.compare(name.size() - after, after, suffix) != 0
    )
    {
        return 0;
    }
    const std::string digits =
        name.substr(before, name.size() - before - after);
    if
    (
        digits.size() > 12
     || digits.find_first_not_of("0123456789") != std::string::npos
    )
    {
        return 0;
    }
    return std::stol(digits);
}

} // End unnamed namespace


std::vector<std::uint8_t> pngBytes(const viewPicture& picture)
{
    if
    (
        picture.width < 1 || picture.height < 1
     || picture.rgb.size() != 3*std::size_t(picture.width)*picture.height
    )
    {
        throw viewError("A picture that is empty cannot be written");
    }

    vtkNew<vtkImageData> image;
    image->SetDimensions(picture.width, picture.height, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);

    const std::size_t row = 3*std::size_t(picture.width);
    auto* out = static_cast<std::uint8_t*>(image->GetScalarPointer());
    for (int y = 0; y < picture.height; ++y)
    {
        // VTK's rows go up
        std::memcpy
        (
            out + row*(picture.height - 1 - y),
            picture.rgb.data() + row*y,
            row
        );
    }

    vtkNew<vtkPNGWriter> writer;
    writer->SetInputData(image);
    writer->SetCompressionLevel(compression);
    writer->WriteToMemoryOn();
    writer->Write();

    vtkUnsignedCharArray* bytes = writer->GetResult();
    if (writer->GetErrorCode() != vtkErrorCode::NoError || !bytes)
    {
        throw viewError("A picture could not be encoded");
    }
    const unsigned char* begin = bytes->GetPointer(0);
    return std::vector<std::uint8_t>(begin, begin + bytes->GetNumberOfValues());
}


void writePng(const viewPicture& picture, const std::string& file)
{
    const std::vector<std::uint8_t> bytes = pngBytes(picture);
    const std::string part = file + ".part";

    {
        std::ofstream out(part, std::ios::binary | std::ios::trunc);
        out.write
        (
            reinterpret_cast<const char*>(bytes.data()),
            std::streamsize(bytes.size())
        );
        out.close();
        if (out && std::rename(part.c_str(), file.c_str()) == 0)
        {
            return;
        }
    }
    std::remove(part.c_str());
    throw viewError("Cannot write the picture " + file);
}


std::string framesDisplay::fileName(const std::string& folder, long number)
{
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%06ld", number);
    return folder + "/" + prefix + digits + suffix;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

framesDisplay::framesDisplay
(
    const std::string& folder,
    bool append,
    std::size_t maxQueue
)
:
    folder_(folder),
    maxQueue_(std::max<std::size_t>(maxQueue, 1))
{
    namespace fs = std::filesystem;

    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (!fs::is_directory(folder_, failed) || access(folder_.c_str(), W_OK))
    {
        throw viewError("Cannot write pictures to the folder " + folder_);
    }

    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(folder_, failed))
    {
        const long number = numberOf(entry.path().filename().string());
        if (number > 0)
        {
            old.push_back(entry.path());
            number_ = std::max(number_, number + 1);
        }
    }
    if (!append)
    {
        // Else the end of a longer run would follow this one in a film
        number_ = 1;
        for (const fs::path& file : old)
        {
            fs::remove(file, failed);
        }
    }

    thread_ = std::thread([this]() { work(); });
}


framesDisplay::~framesDisplay()
{
    {
        std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();

    if (!error_.empty())
    {
        std::fprintf(stderr, "%s\n", error_.c_str());
    }
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void framesDisplay::work()
{
    std::unique_lock<std::mutex> lock(mutex_);

    while (true)
    {
        changed_.wait(lock, [this]() { return ending_ || !queue_.empty(); });
        if (queue_.empty())
        {
            return;
        }

        const auto [number, picture] = std::move(queue_.front());
        queue_.pop_front();
        writing_ = true;
        changed_.notify_all();

        lock.unlock();
        std::string error;
        try
        {
            writePng(picture, fileName(folder_, number));
        }
        catch (const std::exception& e)
        {
            error = e.what();
        }
        lock.lock();

        writing_ = false;
        if (error_.empty())
        {
            error_ = error;
        }
        changed_.notify_all();
    }
}


void framesDisplay::check()
{
    if (!error_.empty())
    {
        const std::string error = std::move(error_);
        error_.clear();
        throw viewError(error);
    }
}


// * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * * //

void framesDisplay::show(const viewPicture& picture, long, double)
{
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait
    (
        lock,
        [this]() { return queue_.size() < maxQueue_ || !error_.empty(); }
    );
    check();
    queue_.emplace_back(number_++, picture);
    changed_.notify_all();
}


void framesDisplay::finish()
{
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this]() { return queue_.empty() && !writing_; });
    check();
}

} // End namespace lbmView
