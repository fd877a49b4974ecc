#include "engine/stepClock.H"

#include <gtest/gtest.h>

namespace
{

//- Streams do work at times that are set
struct setTimes
{
    struct stream {};
    struct timer { double seconds; };

    double now = 0;

    void stamp(stream&, timer& t) const
    {
        t.seconds = now;
    }

    double secondsBetween(const timer& from, const timer& to) const
    {
        return to.seconds - from.seconds;
    }
};


class stepClock
:
    public testing::Test
{
protected:

    using clock = lbm::stepClock<setTimes>;

    setTimes backend;
    setTimes::stream s;
    clock c;

    void work(clock::work w, double from, double to)
    {
        backend.now = from;
        c.start(backend, s, w);
        backend.now = to;
        c.stop(backend, s, w);
    }

    //- A step that begins at 10
    double time(double interiorFrom, double interiorTo)
    {
        backend.now = 10;
        c.begin(backend, s);
        work(clock::sending, 11, 12);
        work(clock::scalars, 12, 14);
        work(clock::interior, interiorFrom, interiorTo);
        work(clock::shell, 17, 22);
        return c.seconds(backend);
    }
};

} // End namespace


TEST_F(stepClock, knowsNothingOfStepsThatAreNotTimed)
{
    EXPECT_LT(time(15, 16), 0);
}


TEST_F(stepClock, countsTheTimeInWhichEitherStreamWorks)
{
    c.setRunning(true);

    // While the shell waits; beside some of it; beside all and longer
    EXPECT_DOUBLE_EQ(time(15, 16), 8 + 1);
    EXPECT_DOUBLE_EQ(time(13, 18), 8 + 3);
    EXPECT_DOUBLE_EQ(time(10, 24), 14);
}


TEST_F(stepClock, keepsTheLastStepThatWasTimed)
{
    c.setRunning(true);
    time(15, 16);
    c.setRunning(false);
    EXPECT_DOUBLE_EQ(time(10, 24), 9);
}
