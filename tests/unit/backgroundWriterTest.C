// Tasks run beside the caller, in order, and their failures come back

#include "backgroundWriter.H"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <vector>

namespace Foam
{

class backgroundWriterTest : public ::testing::Test
{
protected:

    backgroundWriter& writer = backgroundWriter::instance();

    //- A task that stays under way until it is let go
    struct held
    {
        std::promise<void> begun;
        std::promise<void> go;

        std::function<void()> task()
        {
            return [this]{ begun.set_value(); go.get_future().wait(); };
        }
    };
};


TEST_F(backgroundWriterTest, doesNotHoldTheCaller)
{
    held first;
    bool second = false;

    writer.add(first.task());
    first.begun.get_future().wait();

    // Both calls return while the first task is under way
    writer.add([&]{ second = true; });
    EXPECT_NO_THROW(writer.check());
    EXPECT_FALSE(second);

    first.go.set_value();
    writer.finish();
    EXPECT_TRUE(second);
}


TEST_F(backgroundWriterTest, keepsTheOrder)
{
    held first;
    std::vector<int> order;

    writer.add(first.task());

    for (int i = 0; i < 100; ++i)
    {
        writer.add([&order, i]{ order.push_back(i); });
    }

    EXPECT_TRUE(order.empty());
    first.go.set_value();
    writer.finish();

    ASSERT_EQ(order.size(), 100u);
    for (int i = 0; i < 100; ++i)
    {
        EXPECT_EQ(order[i], i);
    }
}


TEST_F(backgroundWriterTest, givesFailuresBackAndDropsTheRest)
{
    held first;
    bool reached = false;

    writer.add(first.task());
    writer.add([]{ throw std::runtime_error("disk full"); });
    writer.add([&]{ reached = true; });
    first.go.set_value();

    try
    {
        writer.finish();
        ADD_FAILURE() << "nothing was thrown";
    }
    catch (const std::runtime_error& err)
    {
        EXPECT_STREQ(err.what(), "disk full");
    }

    EXPECT_FALSE(reached);

    // Said once; then it works again
    EXPECT_NO_THROW(writer.check());
    writer.add([&]{ reached = true; });
    writer.finish();
    EXPECT_TRUE(reached);
}


TEST_F(backgroundWriterTest, finishesWhenTheProgramLeaves)
{
    testing::FLAGS_gtest_death_test_style = "threadsafe";

    const auto slow = []
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        std::fputs("written", stderr);
    };

    EXPECT_EXIT
    (
        {
            backgroundWriter::instance().add(slow);
            std::exit(3);
        },
        testing::ExitedWithCode(3),
        "written"
    );

    EXPECT_EXIT
    (
        {
            backgroundWriter::instance().add(slow);
            std::abort();
        },
        testing::KilledBySignal(SIGABRT),
        "written"
    );

    EXPECT_EXIT
    (
        {
            backgroundWriter::instance().add
            (
                []{ throw std::runtime_error("disk full"); }
            );
            std::exit(3);
        },
        testing::ExitedWithCode(3),
        "Writing has failed as well: disk full"
    );
}

} // End namespace Foam
