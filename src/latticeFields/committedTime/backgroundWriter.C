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

#include "backgroundWriter.H"

#include <chrono>
#include <csignal>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

std::atomic<Foam::backgroundWriter*> Foam::backgroundWriter::only_(nullptr);


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::backgroundWriter::work()
{
    std::unique_lock<std::mutex> lock(mutex_);

    while (true)
    {
        changed_.wait(lock, [this]{ return ending_ || !tasks_.empty(); });

        if (tasks_.empty())
        {
            return;
        }

        std::function<void()> task(std::move(tasks_.front()));
        std::exception_ptr failure;

        lock.unlock();

        try
        {
            task();
        }
        catch (...)
        {
            failure = std::current_exception();
        }

        // With what it holds
        task = nullptr;

        lock.lock();

        tasks_.pop_front();

        if (failure)
        {
            failure_ = failure;
            tasks_.clear();
        }

        idle_ = tasks_.empty();

        changed_.notify_all();

        if (tasks_.empty() && signal_)
        {
            // With the lock: nothing more begins
            endBy(signal_);
        }
    }
}


void Foam::backgroundWriter::endBy(const int signal)
{
    std::signal(signal, SIG_DFL);

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);

    std::raise(signal);
}


void Foam::backgroundWriter::endAfter(const int signal)
{
    backgroundWriter* writer = only_;

    // Waiting here, in the midst of anything, could be waiting for oneself: the
    // thread ends the program
    if (writer)
    {
        writer->signal_ = signal;
    }

    if (!writer || writer->idle_)
    {
        endBy(signal);
    }
}


void Foam::backgroundWriter::finishBefore(int)
{
    // In vain if the signal came from where the writer would need to be
    constexpr std::chrono::seconds longest(60);
    constexpr std::chrono::milliseconds interval(10);

    const backgroundWriter* writer = only_;

    if (!writer || std::this_thread::get_id() == writer->thread_.get_id())
    {
        return;
    }

    for
    (
        auto waited = std::chrono::milliseconds(0);
        waited < longest && !writer->idle_;
        waited += interval
    )
    {
        std::this_thread::sleep_for(interval);
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::backgroundWriter::backgroundWriter()
:
    mutex_(),
    changed_(),
    tasks_(),
    failure_(),
    ending_(false),
    idle_(true),
    signal_(0),
    thread_()
{
    // Signals are for the thread of the solver

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);

    try
    {
        thread_ = std::thread([this]{ work(); });
    }
    catch (const std::system_error& err)
    {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);

        throw std::runtime_error
        (
            std::string("Out of memory or threads: cannot start the one that")
          + " writes: " + err.what()
        );
    }

    pthread_sigmask(SIG_SETMASK, &before, nullptr);

    // FatalError may abort, which calls no destructors

    only_ = this;
    std::signal(SIGABRT, finishBefore);

    // What asks the program to end, but for what somebody else looks after:
    // stopAtWriteNowSignal, nohup

    for (const int signal : {SIGTERM, SIGHUP, SIGINT})
    {
        struct sigaction present;

        if
        (
            sigaction(signal, nullptr, &present) == 0
         && (present.sa_handler == SIG_DFL || signal == SIGINT)
         && present.sa_handler != SIG_IGN
        )
        {
            std::signal(signal, endAfter);
        }
    }
}


// * * * * * * * * * * * * * * * * Selectors * * * * * * * * * * * * * * * * //

Foam::backgroundWriter& Foam::backgroundWriter::instance()
{
    static backgroundWriter writer;
    return writer;
}


// * * * * * * * * * * * * * * * * Destructor  * * * * * * * * * * * * * * * //

Foam::backgroundWriter::~backgroundWriter()
{
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        ending_ = true;
    }

    changed_.notify_all();
    thread_.join();
    only_ = nullptr;

    // The program leaves because of something else, or it would have asked

    try
    {
        check();
    }
    catch (const std::exception& err)
    {
        std::cerr<< "Writing has failed as well: " << err.what() << std::endl;
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::backgroundWriter::add(const std::function<void()>& task)
{
    {
        const std::lock_guard<std::mutex> guard(mutex_);

        if (failure_)
        {
            return;
        }

        idle_ = false;
        tasks_.push_back(task);
    }

    changed_.notify_all();
}


void Foam::backgroundWriter::check()
{
    std::exception_ptr failure;

    {
        const std::lock_guard<std::mutex> guard(mutex_);
        std::swap(failure, failure_);
    }

    if (failure)
    {
        std::rethrow_exception(failure);
    }
}


void Foam::backgroundWriter::finish()
{
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this]{ return tasks_.empty(); });
    }

    check();
}

// ************************************************************************* //
