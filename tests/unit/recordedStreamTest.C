// What is recorded gives the bytes of an ordinary stream

#include "recordedStream.H"

#include "OStringStream.H"
#include "scalarList.H"
#include "vectorList.H"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

namespace Foam
{

//- What both streams make of the same
class recordedStreamTest : public ::testing::TestWithParam<int>
{
protected:

    static std::string ordinary
    (
        IOstream::streamFormat format,
        const std::function<void(OSstream&)>& write
    )
    {
        std::ostringstream text;
        OSstream os(text, "ordinary", format);
        write(os);
        return text.str();
    }

    static std::string recorded
    (
        IOstream::streamFormat format,
        const std::function<void(OSstream&)>& write
    )
    {
        std::ostringstream text;
        recordedStream os("recorded", format);
        write(os);
        os.writeTo(text);
        EXPECT_EQ(os.nBytes(), 0u);
        return text.str();
    }

    static void same(const std::function<void(OSstream&)>& write)
    {
        for (const auto format : {IOstream::ASCII, IOstream::BINARY})
        {
            const std::string a = ordinary(format, write);
            const std::string b = recorded(format, write);

            EXPECT_FALSE(a.empty());
            EXPECT_TRUE(a == b) << a.substr(0, 300) << "\nrecorded:\n"
                << b.substr(0, 300);
        }
    }

    //- Numbers of all sizes, and those that are special
    static scalarList numbers(const label n)
    {
        typedef std::numeric_limits<scalar> limits;

        scalarList values
        ({
            0, -0.0, 1, -1, 0.1, 1e5, 123456.5, 999999.5, 1e6, 1e-4, 1e-5,
            limits::max(), limits::min(), limits::denorm_min(),
            limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
            -limits::quiet_NaN()
        });

        std::mt19937_64 random(1);
        std::uniform_real_distribution<scalar> exponent(-320, 308);
        std::uniform_real_distribution<scalar> factor(-1, 1);

        const label nSpecial = values.size();
        values.setSize(n);

        for (label i = nSpecial; i < n; ++i)
        {
            values[i] =
                i % 2
              ? factor(random)
              : factor(random)*std::pow(10.0, exponent(random));
        }

        return values;
    }
};


TEST_P(recordedStreamTest, formatsNumbersLikeAStream)
{
    const scalarList values(numbers(20000));

    same
    (
        [&](OSstream& os)
        {
            os.precision(GetParam());
            os << values << nl;

            for (const scalar value : values)
            {
                os << float(value) << ' ';
            }
        }
    );
}


INSTANTIATE_TEST_SUITE_P
(
    precision,
    recordedStreamTest,
    ::testing::Values(0, 1, 6, 8, 12, 16, 17, 20, 40)
);


TEST_F(recordedStreamTest, keepsListsOfManyPieces)
{
    const scalarList values(numbers(300000));

    vectorList vectors(values.size()/3);
    forAll(vectors, i)
    {
        vectors[i] = vector(values[3*i], values[3*i + 1], values[3*i + 2]);
    }

    same([&](OSstream& os) { os << values << vectors << values; });
}


TEST_F(recordedStreamTest, keepsTheOrderOfTextAndNumbers)
{
    same
    (
        [](OSstream& os)
        {
            os  << word("before") << 1.5 << string("quoted \"text\"") << 2.5f;
            os.stdStream() << "raw" << 3.5 << std::string(300, 'x');
            os  << 4.5 << label(7) << nl << std::string(100000, 'y').c_str()
                << 5.5 << std::string(1000000, 'z').c_str() << 6.5;
            os.indent();
            os  << true << endl;
        }
    );
}


TEST_F(recordedStreamTest, followsTheFormat)
{
    same
    (
        [](OSstream& os)
        {
            os << 1.23456789;
            const int precision = os.precision(3);
            os << 1.23456789 << 9.87654321;
            os.precision(precision);
            os << 1.23456789;
            os.flags(std::ios_base::scientific);
            os << 1.23456789;
            os.flags(std::ios_base::fixed | std::ios_base::showpoint);
            os << 1.23456789;
            os.width(20);
            os.fill('*');
            os << 1.23456789 << 1.23456789;
        }
    );
}


TEST_F(recordedStreamTest, callsFunctionsInTheirPlace)
{
    std::ostringstream text;
    recordedStream os("recorded", IOstream::ASCII);

    std::string value("too early");
    os  << 1.5;
    os.writeLater([&](std::ostream& later) { later << value; });
    os  << 2.5;
    value = " in time ";

    os.writeTo(text);

    EXPECT_EQ(text.str(), "1.5 in time 2.5");
}


TEST_F(recordedStreamTest, takesNineBytesANumber)
{
    // And one for what parts them
    const label n = 10000000;
    recordedStream os("recorded", IOstream::ASCII);

    for (label i = 0; i < n; ++i)
    {
        os << scalar(i) << nl;
    }

    // Measured: 10.01
    EXPECT_GE(scalar(os.nBytes())/n, 10);
    EXPECT_LE(scalar(os.nBytes())/n, 10.1);
}


TEST_F(recordedStreamTest, stopsWhereAStreamFails)
{
    // Its buffer takes nothing
    std::ostream broken(nullptr);
    recordedStream os("recorded", IOstream::ASCII);
    bool called = false;

    os  << numbers(1000);
    os.writeLater([&](std::ostream&) { called = true; });
    os.writeTo(broken);

    EXPECT_FALSE(broken.good());
    EXPECT_FALSE(called);
}

} // End namespace Foam
