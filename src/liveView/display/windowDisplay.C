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

#include "windowDisplay.H"
#include "eventText.H"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits.h>
#include <locale>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

using clockType = std::chrono::steady_clock;
using lbmView::viewError;

const char* const alternatives =
    "\n    'display browser' shows a page instead, through SSH too;"
    " 'display frames' writes PNG files";


double since(const clockType::time_point start)
{
    return std::chrono::duration<double>(clockType::now() - start).count();
}


viewError systemError(const std::string& what)
{
    return viewError
    (
        "cannot open a window: " + what + ": " + std::strerror(errno)
    );
}


void closeDescriptor(int& descriptor)
{
    if (descriptor != -1)
    {
        ::close(descriptor);
        descriptor = -1;
    }
}


// Out of the way of the numbers that the window's process gets
int movedUp(const int descriptor)
{
    if (descriptor == -1)
    {
        return -1;
    }
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
    ::close(descriptor);
    return moved;
}


// VTK colours what it says, terminal or not
std::string withoutColours(const std::string& text)
{
    std::string plain;
    bool colour = false;
    for (const char c : text)
    {
        colour = colour || c == '\033';
        if (!colour && (c == '\n' || (c >= ' ' && c < 127)))
        {
            plain += c;
        }
        colour = colour && c != 'm';
    }
    return plain;
}


bool isProgram(const std::string& path)
{
    return ::access(path.c_str(), X_OK) == 0;
}


std::string findProgram(const std::string& name)
{
    char own[PATH_MAX];
    const ssize_t n = ::readlink("/proc/self/exe", own, sizeof(own));
    if (n > 0)
    {
        const std::string path(own, static_cast<std::size_t>(n));
        const std::string beside = path.substr(0, path.rfind('/') + 1) + name;
        if (isProgram(beside))
        {
            return beside;
        }
    }

    const char* folders = std::getenv("PATH");
    std::istringstream list(folders ? folders : "");
    for (std::string folder; std::getline(list, folder, ':');)
    {
        const std::string path = folder + '/' + name;
        if (!folder.empty() && isProgram(path))
        {
            return path;
        }
    }

    throw viewError
    (
        "cannot open a window: no program " + name + " beside the running"
        " program or on the PATH; Allwmake builds it" + alternatives
    );
}

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void lbmView::windowDisplay::start(const options& chosen)
{
    const std::string program = findProgram("lbmView");

    int sockets[2] = {-1, -1};
    int output[2] = {-1, -1};

    // A message a call, and an end of file when the other process has ended
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    {
        throw systemError("socketpair");
    }
    socket_ = sockets[0];
    int other = movedUp(sockets[1]);

    if (::pipe2(output, O_CLOEXEC | O_NONBLOCK) != 0)
    {
        closeDescriptor(other);
        throw systemError("pipe");
    }
    output_ = output[0];
    int otherOutput = movedUp(output[1]);

    memory_ = movedUp
    (
        ::memfd_create("lbmView", MFD_CLOEXEC | MFD_ALLOW_SEALING)
    );

    if (other == -1 || otherOutput == -1 || memory_ == -1)
    {
        const viewError error = systemError("descriptors");
        closeDescriptor(other);
        closeDescriptor(otherOutput);
        throw error;
    }

    // To read what has been cut off would end the run
    ::fcntl(memory_, F_ADD_SEALS, F_SEAL_SHRINK);

    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);

    posix_spawn_file_actions_adddup2(&files, other, 0);
    posix_spawn_file_actions_adddup2(&files, otherOutput, 1);
    posix_spawn_file_actions_adddup2(&files, otherOutput, 2);
    posix_spawn_file_actions_adddup2(&files, memory_, 3);

    // Signals to the run, and what it does about them, are not the window's
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags
    (
        &attributes,
        POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    );

    std::string name = "lbmView";
    std::string title = chosen.title;
    char* const arguments[] = {&name[0], &title[0], nullptr};

    // Not by fork: that would copy the page tables of the run, and drivers of
    // devices and networks do not bear it
    const int failure = ::posix_spawn
    (
        &child_,
        program.c_str(),
        &files,
        &attributes,
        arguments,
        environ
    );
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    closeDescriptor(other);
    closeDescriptor(otherOutput);

    if (failure)
    {
        child_ = -1;
        errno = failure;
        throw systemError(program);
    }

    // The only place where the run waits
    const auto began = clockType::now();
    while (!ready_ && !closed_ && since(began) < chosen.startTime)
    {
        pollfd waiting[] = {{socket_, POLLIN, 0}};
        ::poll(waiting, 1, 100);
        hear();
    }

    if (!ready_)
    {
        std::string why =
            closed_ ? "lbmView has ended" : "lbmView does not answer";
        if (closed_)
        {
            reap(0.5);
            hearOutput();
            why += WIFSIGNALED(status_)
              ? " by signal " + std::to_string(WTERMSIG(status_))
              : " with status " + std::to_string(WEXITSTATUS(status_));
        }
        std::istringstream lines(withoutColours(said_));
        for (std::string line; std::getline(lines, line);)
        {
            if (!line.empty()) why += "\n    | " + line;
        }
        throw viewError
        (
            "cannot open a window on display " + display_ + ": " + why
          + alternatives
        );
    }
}


void lbmView::windowDisplay::hear()
{
    hearOutput();

    // As many as come while the run does one step, but not for ever
    char message[512];
    for (int i = 0; i < 4096 && !closed_; ++i)
    {
        const ssize_t n =
            ::recv(socket_, message, sizeof(message), MSG_DONTWAIT);

        if (n > 0)
        {
            hearMessage({message, static_cast<std::size_t>(n)});
        }
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        {
            closed("gone");
        }
        else if (errno == EAGAIN)
        {
            break;
        }
    }

    if (closed_)
    {
        reap(0);
    }
    else
    {
        send();
    }
}


void lbmView::windowDisplay::hearMessage(std::string_view message)
{
    viewEvent event;

    if (message == "ready" || message == "drawn")
    {
        ready_ = true;
    }
    else if (readEvent(message, event))
    {
        if (event.what == viewEvent::kind::close)
        {
            return closed("");
        }
        if (event.what != viewEvent::kind::key)
        {
            if (width_ == 0) return;
            event.x = std::clamp(event.x, 0.0, std::nextafter(width_, 0.0));
            event.y = std::clamp(event.y, 0.0, std::nextafter(height_, 0.0));
        }
        events_.push(event);
    }
}


void lbmView::windowDisplay::hearOutput()
{
    // Only the end counts, and only if the window fails
    char text[1024];
    for (int i = 0; i < 64; ++i)
    {
        const ssize_t n = ::read(output_, text, sizeof(text));
        if (n <= 0)
        {
            break;
        }
        said_.append(text, static_cast<std::size_t>(n));
    }
    if (said_.size() > 1500)
    {
        said_.erase(0, said_.size() - 1500);
    }
}


void lbmView::windowDisplay::send()
{
    if (!ready_ || waiting_.empty())
    {
        return;
    }

    const ssize_t n = ::send
    (
        socket_,
        waiting_.data(),
        waiting_.size(),
        MSG_DONTWAIT | MSG_NOSIGNAL
    );
    if (n > 0)
    {
        slot_ = 1 - slot_;
        ready_ = false;
        waiting_.clear();
        width_ = waitingWidth_;
        height_ = waitingHeight_;
    }
    // Else there will be another time, or the end of the window is heard
}


void lbmView::windowDisplay::reserve(const std::size_t size)
{
    if (size <= slotSize_)
    {
        return;
    }

    // Behind the slots that there were: the window may be reading one
    const std::size_t first = firstSlot_ + 2*slotSize_;
    const std::size_t whole = first + 2*size;

    // Allocated now: where memory lacks, a write would end the run
    int failure;
    do
    {
        failure = ::posix_fallocate(memory_, 0, static_cast<off_t>(whole));
    } while (failure == EINTR);
    void* mapped = MAP_FAILED;
    if (failure)
    {
        errno = failure;
    }
    else
    {
        mapped = ::mmap
        (
            nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0
        );
    }
    if (mapped == MAP_FAILED)
    {
        throw viewError
        (
            std::string("no memory for the picture of the window: ")
          + std::strerror(errno)
        );
    }

    if (mapped_)
    {
        ::munmap(mapped_, mappedSize_);
    }
    mapped_ = static_cast<std::uint8_t*>(mapped);
    mappedSize_ = whole;
    firstSlot_ = first;
    slotSize_ = size;
    slot_ = 0;
    waiting_.clear();
}


void lbmView::windowDisplay::closed(const std::string& name)
{
    if (!closed_)
    {
        closed_ = true;
        ready_ = false;

        viewEvent event;
        event.what = viewEvent::kind::close;
        event.name = name;
        events_.force(event);
    }
}


//- Whether the process has ended, after at most so long
bool lbmView::windowDisplay::reap(const double seconds)
{
    const auto began = clockType::now();

    while (child_ != -1)
    {
        const pid_t ended = ::waitpid(child_, &status_, WNOHANG);
        if (ended == child_ || (ended == -1 && errno != EINTR))
        {
            child_ = -1;
        }
        else if (since(began) >= seconds)
        {
            return false;
        }
        else
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    return true;
}


void lbmView::windowDisplay::end()
{
    // The end of the socket ends the window
    closeDescriptor(socket_);

    if (!reap(0.4))
    {
        ::kill(child_, SIGKILL);
        reap(0.4);
    }

    closeDescriptor(output_);
    closeDescriptor(memory_);
    if (mapped_)
    {
        ::munmap(mapped_, mappedSize_);
        mapped_ = nullptr;
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

lbmView::windowDisplay::windowDisplay(const options& chosen)
{
    const char* display = std::getenv("DISPLAY");
    if (!display || !*display)
    {
        throw viewError
        (
            std::string("no display to open a window on: DISPLAY is not set")
          + alternatives
        );
    }
    display_ = display;

    try
    {
        start(chosen);
    }
    catch (...)
    {
        end();
        throw;
    }
}


lbmView::windowDisplay::~windowDisplay()
{
    end();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool lbmView::windowDisplay::wanted()
{
    hear();
    return ready_;
}


void lbmView::windowDisplay::show
(
    const viewPicture& picture,
    const long step,
    const double time
)
{
    if
    (
        picture.width < 1 || picture.height < 1
     || picture.rgb.size()
     != 3*static_cast<std::size_t>(picture.width)*picture.height
    )
    {
        throw viewError("a picture has not the size that it says");
    }

    hear();
    if (closed_)
    {
        return;
    }

    reserve(picture.rgb.size());

    const std::size_t offset = firstSlot_ + (1 - slot_)*slotSize_;
    std::memcpy(mapped_ + offset, picture.rgb.data(), picture.rgb.size());

    std::ostringstream message;
    message.imbue(std::locale::classic());
    message
        << "picture " << offset << ' ' << picture.width << ' '
        << picture.height << ' ' << step << ' ' << time;
    waiting_ = message.str();
    waitingWidth_ = picture.width;
    waitingHeight_ = picture.height;

    send();
}


std::vector<lbmView::viewEvent> lbmView::windowDisplay::events()
{
    hear();
    return events_.take();
}


std::string lbmView::windowDisplay::where() const
{
    return "window on display " + display_;
}


// ************************************************************************* //
