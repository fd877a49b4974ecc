#include "framesDisplay.H"
#include "pictureFile.H"

#include <cstdio>
#include <filesystem>

namespace lbmView
{

framesDisplay::framesDisplay(const std::string& folder)
:
    folder_(folder)
{
    std::error_code code;
    std::filesystem::create_directories(folder_, code);
    if (code)
    {
        throw viewError
        (
            "the folder " + folder_ + " cannot be made: " + code.message()
        );
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder_, code))
    {
        const std::string name = entry.path().filename().string();
        if (name.rfind("picture_", 0) == 0 && entry.path().extension() == ".png")
        {
            std::filesystem::remove(entry.path(), code);
        }
    }
    writer_ = std::thread([this]{ write(); });
}


framesDisplay::~framesDisplay()
{
    {
        std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    change_.notify_all();
    writer_.join();
}


void framesDisplay::write()
{
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;)
    {
        change_.wait(lock, [&]{ return ending_ || !waiting_.empty(); });
        if (waiting_.empty())
        {
            return;
        }
        const auto next = std::move(waiting_.front());
        lock.unlock();
        std::string failure;
        try
        {
            writePicture(next.second, next.first);
        }
        catch (const std::exception& err)
        {
            failure = err.what();
        }
        lock.lock();
        waiting_.pop_front();
        if (failure_.empty())
        {
            failure_ = failure;
        }
        change_.notify_all();
    }
}


void framesDisplay::show(const viewPicture& picture, long, double)
{
    char name[32];
    std::snprintf(name, sizeof(name), "picture_%06d.png", ++number_);

    std::unique_lock<std::mutex> lock(mutex_);
    change_.wait(lock, [&]{ return waiting_.size() < mostWaiting_; });
    if (!failure_.empty())
    {
        throw viewError(failure_);
    }
    waiting_.emplace_back(folder_ + '/' + name, picture);
    change_.notify_all();
}

} // End namespace lbmView
