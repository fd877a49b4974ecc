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

Application
    lbmView

Description
    The window of a live view: windowDisplay starts it, and it ends when the run
    does. Not for use by hand.

    Shows pictures as large as they fit with their aspect, and sends what the
    mouse and keys do there.

    Descriptor 0 is a socket of messages (SOCK_SEQPACKET), 3 memory that the run
    fills with pictures. The run sends

        picture <offset in memory> <width> <height> <step> <time>

    and hears "ready" when the window is open, "drawn" when it has no more use
    for that memory, and events as eventText.H writes them.

Usage
    lbmView <title>

\*---------------------------------------------------------------------------*/

#include "eventQueue.H"
#include "eventText.H"

#include <vtkAutoInit.h>
#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkImageActor.h>
#include <vtkImageData.h>
#include <vtkImageMapper3D.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <locale>
#include <poll.h>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// The style is not used, but VTK warns where it is missing
VTK_MODULE_INIT(vtkInteractionStyle);
VTK_MODULE_INIT(vtkRenderingOpenGL2);
VTK_MODULE_INIT(vtkRenderingUI);

using lbmView::viewEvent;

// * * * * * * * * * * * * * * * * * Window  * * * * * * * * * * * * * * * * //

namespace
{

constexpr int socketNumber = 0;
constexpr int memoryNumber = 3;


class viewWindow
{
    const std::string title_;

    vtkNew<vtkImageData> image_;
    vtkNew<vtkImageActor> actor_;
    vtkNew<vtkRenderer> renderer_;
    vtkNew<vtkRenderWindow> window_;
    vtkNew<vtkRenderWindowInteractor> interactor_;
    vtkNew<vtkCallbackCommand> callback_;

    //- Size of the picture, and of one of its pixels in the window
    int width_ = 0;
    int height_ = 0;
    double zoom_ = 1;

    const std::uint8_t* mapped_ = nullptr;
    std::size_t mappedSize_ = 0;

    //- To be sent
    std::string answer_;
    lbmView::eventQueue events_;

    unsigned held_ = 0;
    bool open_ = true;

    static void call(vtkObject*, unsigned long id, void* self, void*)
    {
        static_cast<viewWindow*>(self)->hear(id);
    }

    void hear(unsigned long id);
    void button(viewEvent::kind what, int number);
    void key();
    bool locate(viewEvent& event) const;
    void map(std::size_t size);
    void fit();
    void show(std::istream& message);
    void render();
    bool send(const std::string& message);
    void send();
    void receive();

public:

    explicit viewWindow(const std::string& title);

    //- Until the window is closed or the run has ended
    void run();
};


viewWindow::viewWindow(const std::string& title)
:
    title_(title)
{
    // Says what is wrong where the display cannot be opened; other calls crash
    window_->GetScreenSize();

    // Picture pixels are units of length, with rows from the top
    image_->SetDimensions(1, 1, 1);
    image_->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    std::memset(image_->GetScalarPointer(), 0, 3);
    actor_->SetInputData(image_);
    actor_->GetMapper()->BorderOn();
    actor_->VisibilityOff();

    renderer_->SetBackground(0.078, 0.086, 0.102);
    renderer_->GetActiveCamera()->ParallelProjectionOn();
    renderer_->AddActor(actor_);

    window_->SetMultiSamples(0);
    window_->AddRenderer(renderer_);
    window_->SetWindowName(title.c_str());
    window_->SetSize(640, 360);

    interactor_->SetRenderWindow(window_);
    interactor_->SetInteractorStyle(nullptr);

    callback_->SetClientData(this);
    callback_->SetCallback(call);
    for
    (
        const auto id :
        {
            vtkCommand::LeftButtonPressEvent,
            vtkCommand::LeftButtonReleaseEvent,
            vtkCommand::MiddleButtonPressEvent,
            vtkCommand::MiddleButtonReleaseEvent,
            vtkCommand::RightButtonPressEvent,
            vtkCommand::RightButtonReleaseEvent,
            vtkCommand::MouseMoveEvent,
            vtkCommand::MouseWheelForwardEvent,
            vtkCommand::MouseWheelBackwardEvent,
            vtkCommand::KeyPressEvent,
            vtkCommand::ConfigureEvent,
            vtkCommand::ExitEvent
        }
    )
    {
        interactor_->AddObserver(id, callback_);
    }

    render();
    interactor_->Initialize();
    answer_ = "ready";
}


void viewWindow::hear(const unsigned long id)
{
    using kind = viewEvent::kind;

    viewEvent event;
    switch (id)
    {
        case vtkCommand::LeftButtonPressEvent:
            return button(kind::press, 1);
        case vtkCommand::LeftButtonReleaseEvent:
            return button(kind::release, 1);
        case vtkCommand::MiddleButtonPressEvent:
            return button(kind::press, 2);
        case vtkCommand::MiddleButtonReleaseEvent:
            return button(kind::release, 2);
        case vtkCommand::RightButtonPressEvent:
            return button(kind::press, 3);
        case vtkCommand::RightButtonReleaseEvent:
            return button(kind::release, 3);
        case vtkCommand::KeyPressEvent:
            return key();
        case vtkCommand::ConfigureEvent:
            return render();

        case vtkCommand::MouseMoveEvent:
            event.what = kind::move;
            for (int number = 3; number >= 1; --number)
            {
                if (held_ >> number & 1) event.button = number;
            }
            break;
        case vtkCommand::MouseWheelForwardEvent:
            event.what = kind::wheel;
            event.notches = 1;
            break;
        case vtkCommand::MouseWheelBackwardEvent:
            event.what = kind::wheel;
            event.notches = -1;
            break;
        case vtkCommand::ExitEvent:
            open_ = false;
            return;
        default:
            return;
    }

    // Outside the picture there is something to do only for a button that went
    // down inside
    if (locate(event) || held_)
    {
        events_.push(event);
    }
}


void viewWindow::button(const viewEvent::kind what, const int number)
{
    viewEvent event;
    event.what = what;
    event.button = number;

    const unsigned bit = 1u << number;
    const bool inside = locate(event);
    const bool press = what == viewEvent::kind::press;

    if (press ? inside && !(held_ & bit) : (held_ & bit) != 0)
    {
        held_ ^= bit;
        events_.push(event);
    }
}


void viewWindow::key()
{
    const char* symbol = interactor_->GetKeySym();
    if (!symbol || interactor_->GetControlKey() || interactor_->GetAltKey())
    {
        return;
    }

    viewEvent event;
    event.what = viewEvent::kind::key;
    event.name = symbol;
    if (event.name == "Prior")
    {
        event.name = "PageUp";
    }
    else if (event.name == "Next")
    {
        event.name = "PageDown";
    }
    else if (event.name == "space")
    {
        event.name = "Space";
    }
    else if (event.name.size() > 1 && !lbmView::isKeyName(event.name))
    {
        // Names of X, as "plus"
        event.name = std::string(1, interactor_->GetKeyCode());
    }

    if (lbmView::isKeyName(event.name))
    {
        events_.push(event);
    }
}


//- Picture pixel of the mouse: of the middle of its pixel in the window.
//  False if it is outside; the nearest pixel then.
bool viewWindow::locate(viewEvent& event) const
{
    if (!width_)
    {
        return false;
    }

    const int* size = window_->GetSize();
    const int* at = interactor_->GetEventPosition();

    const double x = width_/2.0 + (at[0] + 0.5 - size[0]/2.0)/zoom_;
    const double y = height_/2.0 - (at[1] + 0.5 - size[1]/2.0)/zoom_;

    event.x = std::clamp(x, 0.0, double(width_));
    event.y = std::clamp(y, 0.0, double(height_));
    return event.x == x && event.y == y;
}


void viewWindow::map(const std::size_t size)
{
    if (size <= mappedSize_)
    {
        return;
    }

    struct stat file;
    if (::fstat(memoryNumber, &file) != 0 || file.st_size < 0)
    {
        throw std::runtime_error("no shared memory");
    }
    const auto whole = static_cast<std::size_t>(file.st_size);
    if (whole < size)
    {
        throw std::runtime_error("the shared memory is too small");
    }

    void* mapped =
        ::mmap(nullptr, whole, PROT_READ, MAP_SHARED, memoryNumber, 0);
    if (mapped == MAP_FAILED)
    {
        throw std::runtime_error(std::strerror(errno));
    }
    if (mapped_)
    {
        ::munmap(const_cast<std::uint8_t*>(mapped_), mappedSize_);
    }
    mapped_ = static_cast<const std::uint8_t*>(mapped);
    mappedSize_ = whole;
}


//- As large as it fits in the window
void viewWindow::fit()
{
    if (!width_)
    {
        return;
    }

    const int* size = window_->GetSize();
    zoom_ = std::min(double(size[0])/width_, double(size[1])/height_);
    if (zoom_ <= 0)
    {
        zoom_ = 1;
    }

    // Pixels are centred at whole numbers
    const double x = 0.5*(width_ - 1);
    const double y = 0.5*(height_ - 1);
    vtkCamera* camera = renderer_->GetActiveCamera();
    camera->SetFocalPoint(x, y, 0);
    camera->SetPosition(x, y, 10);
    camera->SetViewUp(0, 1, 0);
    camera->SetClippingRange(1, 20);
    camera->SetParallelScale(0.5*size[1]/zoom_);
    actor_->SetInterpolate(zoom_ != std::floor(zoom_));
}


void viewWindow::render()
{
    fit();
    window_->Render();
}


void viewWindow::show(std::istream& message)
{
    std::size_t offset;
    int width, height;
    long step;
    double time;
    message >> offset >> width >> height >> step >> time;

    if (!message || width < 1 || height < 1 || width > 65535 || height > 65535)
    {
        throw std::runtime_error("a message that is not understood");
    }

    const std::size_t row = 3*static_cast<std::size_t>(width);
    map(offset + row*height);

    if (width != width_ || height != height_)
    {
        width_ = width;
        height_ = height;
        image_->SetDimensions(width, height, 1);
        image_->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
        actor_->SetDisplayExtent(0, width - 1, 0, height - 1, 0, 0);
        actor_->VisibilityOn();

        // With room for the frame of the window
        const int* screen = window_->GetScreenSize();
        const double shrink = std::min
        ({
            1.0,
            0.95*screen[0]/width,
            0.9*screen[1]/height
        });
        window_->SetSize
        (
            std::max(1, int(std::lround(shrink*width))),
            std::max(1, int(std::lround(shrink*height)))
        );
    }

    auto* to = static_cast<std::uint8_t*>(image_->GetScalarPointer());
    for (int j = 0; j < height; ++j)
    {
        std::memcpy(to + (height - 1 - j)*row, mapped_ + offset + j*row, row);
    }
    image_->Modified();

    std::ostringstream name;
    name << title_ << "    step " << step << "    t = " << time << " s";
    window_->SetWindowName(name.str().c_str());

    render();
    answer_ = "drawn";
}


//- False if it must be tried again
bool viewWindow::send(const std::string& message)
{
    const ssize_t n = ::send
    (
        socketNumber,
        message.data(),
        message.size(),
        MSG_DONTWAIT | MSG_NOSIGNAL
    );
    if (n < 0 && errno != EAGAIN && errno != EINTR)
    {
        open_ = false;
    }
    return n > 0;
}


void viewWindow::send()
{
    if (!answer_.empty() && send(answer_))
    {
        answer_.clear();
    }
    while (!events_.empty() && send(lbmView::eventText(events_.front())))
    {
        events_.pop();
    }
}


void viewWindow::receive()
{
    char text[512];
    const ssize_t n = ::recv(socketNumber, text, sizeof(text), MSG_DONTWAIT);

    if (n > 0)
    {
        std::istringstream message(std::string(text, std::size_t(n)));
        message.imbue(std::locale::classic());
        std::string what;
        message >> what;
        if (what == "picture")
        {
            show(message);
        }
    }
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    {
        open_ = false;
    }
}


void viewWindow::run()
{
    while (open_)
    {
        // VTK does not tell the descriptor on which X events come
        pollfd waiting[] = {{socketNumber, POLLIN, 0}};
        ::poll(waiting, 1, 8);

        receive();
        interactor_->ProcessEvents();
        send();
    }

    send();
    send("close");
}

} // End anonymous namespace


// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

int main(int argc, char *argv[])
{
    int type = 0;
    socklen_t size = sizeof(type);
    if
    (
        ::getsockopt(socketNumber, SOL_SOCKET, SO_TYPE, &type, &size) != 0
     || type != SOCK_SEQPACKET
    )
    {
        std::cerr << "lbmView is the window of a live view; a run opens it\n";
        return 1;
    }

    // What the run has open, devices and networks, is none of the window's
    for (int i = memoryNumber + 1; i < 1024; ++i)
    {
        ::close(i);
    }

    try
    {
        viewWindow(argc > 1 ? argv[1] : "lbmGpuFoam").run();
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    return 0;
}


// ************************************************************************* //
