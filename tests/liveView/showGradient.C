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
    showGradient

Description
    Shows a picture on a display for some seconds or until SIGTERM, as a run
    would, and writes down what happens: for the tests of displays.

    Red grows from left to right, green from top to bottom, and blue is the
    number of the step modulo 256.

Usage
    showGradient browser|window <log> <seconds> [<name>=<value> ...]

      - \par width=, height=
        Of the picture (1024 x 512)

      - \par address=, port=, allowRemote=, requestTime=, silentTime=
        Options of browserDisplay

      - \par every=
        Show a picture that often, whether one is wanted or not [ms] (20)

      - \par pause=
        Between two steps [ms] (2)

\*---------------------------------------------------------------------------*/

#include "browserDisplay.H"
#include "eventText.H"
#include "windowDisplay.H"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

using namespace lbmView;

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

std::map<std::string, std::string> given;

volatile std::sig_atomic_t stopped = 0;

void stop(int)
{
    stopped = 1;
}


std::string option(const std::string& name, const std::string& otherwise)
{
    const auto found = given.find(name);
    return found == given.end() ? otherwise : found->second;
}


double milliseconds(const clockid_t clock)
{
    timespec now;
    ::clock_gettime(clock, &now);
    return 1e3*now.tv_sec + 1e-6*now.tv_nsec;
}


//- How long calls took: by the clock, and in processor time of this thread,
//  to which other programs add nothing
class callTimes
{
    std::vector<double> wall_, cpu_;

public:

    template<class Call>
    auto operator()(Call call)
    {
        const double cpu = milliseconds(CLOCK_THREAD_CPUTIME_ID);
        const double wall = milliseconds(CLOCK_MONOTONIC);

        struct atEnd
        {
            callTimes& times;
            const double cpu, wall;

            ~atEnd()
            {
                times.wall_.push_back(milliseconds(CLOCK_MONOTONIC) - wall);
                times.cpu_.push_back
                (
                    milliseconds(CLOCK_THREAD_CPUTIME_ID) - cpu
                );
            }
        } const end{*this, cpu, wall};

        return call();
    }

    void write(std::ostream& os, const char* name)
    {
        std::sort(wall_.begin(), wall_.end());
        std::sort(cpu_.begin(), cpu_.end());
        const std::size_t n = wall_.size();

        // cpu99 leaves out the longest calls, one in a hundred and at least one
        const std::size_t n1 = (n + 99)/100;
        os  << "times " << name << " calls " << n
            << " median " << (n ? wall_[n/2] : 0)
            << " largest " << (n ? wall_[n - 1] : 0)
            << " cpu99 " << (n > n1 ? cpu_[n - 1 - n1] : 0)
            << " largestCpu " << (n ? cpu_[n - 1] : 0) << std::endl;
    }
};


std::unique_ptr<viewDisplay> newDisplay(const std::string& type)
{
    if (type == "window")
    {
        windowDisplay::options chosen;
        chosen.title = "showGradient";
        return std::make_unique<windowDisplay>(chosen);
    }

    browserDisplay::options chosen;
    chosen.title = "showGradient <&>";
    chosen.help = "left button: draw    right: erase    wheel: size";
    chosen.address = option("address", chosen.address);
    chosen.port = std::stoi(option("port", "0"));
    chosen.allowRemote = option("allowRemote", "no") == "yes";
    chosen.requestTime = std::stod(option("requestTime", "10"));
    chosen.silentTime = std::stod(option("silentTime", "30"));
    return std::make_unique<browserDisplay>(chosen);
}

} // End anonymous namespace

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

int main(int argc, char *argv[])
{
    if (argc < 4)
    {
        std::cerr << "Usage: showGradient browser|window <log> <seconds>\n";
        return 1;
    }
    for (int i = 4; i < argc; ++i)
    {
        const std::string text(argv[i]);
        const std::size_t at = text.find('=');
        given[text.substr(0, at)] = text.substr(at + 1);
    }

    // As OpenFOAM does
    ::feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);

    std::signal(SIGTERM, stop);

    std::ofstream log(argv[2]);
    const double end = milliseconds(CLOCK_MONOTONIC) + 1e3*std::atof(argv[3]);
    const double every = std::stod(option("every", "20"));
    const std::chrono::milliseconds pause(std::stoi(option("pause", "2")));

    viewPicture picture;
    picture.width = std::stoi(option("width", "1024"));
    picture.height = std::stoi(option("height", "512"));
    for (int j = 0; j < picture.height; ++j)
    {
        for (int i = 0; i < picture.width; ++i)
        {
            picture.rgb.push_back(255*i/(picture.width - 1));
            picture.rgb.push_back(255*j/(picture.height - 1));
            picture.rgb.push_back(0);
        }
    }

    std::unique_ptr<viewDisplay> display;
    try
    {
        display = newDisplay(argv[1]);
    }
    catch (const viewError& error)
    {
        log << "error " << error.what() << std::endl;
        return 2;
    }
    log << "where " << display->where() << std::endl;

    callTimes wanted, show, events;
    double shown = 0;
    long asked = 0;

    for
    (
        long step = 0;
        !stopped && milliseconds(CLOCK_MONOTONIC) < end;
        ++step
    )
    {
        for (const viewEvent& event : events([&]{ return display->events(); }))
        {
            log << "event " << eventText(event) << std::endl;
        }

        const bool want = wanted([&]{ return display->wanted(); });
        asked += want;
        if (want || milliseconds(CLOCK_MONOTONIC) > shown + every)
        {
            for (std::size_t i = 2; i < picture.rgb.size(); i += 3)
            {
                picture.rgb[i] = static_cast<std::uint8_t>(step);
            }
            show([&]{ display->show(picture, step, 0.001*step); });
            shown = milliseconds(CLOCK_MONOTONIC);
        }
        std::this_thread::sleep_for(pause);
    }

    callTimes close;
    close([&]{ display.reset(); });

    log << "wanted " << asked << std::endl;
    show.write(log, "show");
    wanted.write(log, "wanted");
    events.write(log, "events");
    close.write(log, "close");

    std::string line;
    for (std::ifstream status("/proc/self/status"); std::getline(status, line);)
    {
        if (line.compare(0, 6, "VmHWM:") == 0)
        {
            log << "memory " << std::atol(line.c_str() + 6) << std::endl;
        }
    }
    log << "end" << std::endl;
    return 0;
}


// ************************************************************************* //
