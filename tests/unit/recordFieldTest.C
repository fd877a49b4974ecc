// Fields whose numbers are formatted later give the bytes of OpenFOAM's own
// writing

#include "recordField.H"

#include "OStringStream.H"
#include "meshCase.H"
#include "labelIOList.H"
#include "surfaceFields.H"

#include <sstream>

namespace lbmTest
{

class recordFieldTest : public ::testing::Test
{
protected:

    static gridRegion region()
    {
        gridRegion r;
        r.size = {27, 26, 25};
        return r;
    }

    const gridRegion region_ = region();
    meshCase case_{region_};

    //- Values of all sizes
    template<class Field>
    static void fill(Field& f)
    {
        constexpr direction nComponents =
            pTraits<typename Field::value_type>::nComponents;

        std::mt19937_64 random(2);
        std::uniform_real_distribution<scalar> exponent(-12, 12);

        for (auto& value : f.primitiveFieldRef())
        {
            for (direction d = 0; d < nComponents; ++d)
            {
                setComponent(value, d) =
                    std::pow(10.0, exponent(random))*(d % 2 ? -1 : 1);
            }
        }
    }

    //- What OpenFOAM writes, and what is recorded
    static void same(const regIOobject& io, const int precision)
    {
        std::ostringstream text;
        OSstream os(text, "ordinary", IOstream::ASCII);
        os.precision(precision);
        ASSERT_TRUE(io.writeData(os));

        std::ostringstream recorded;
        recordedStream record("recorded", IOstream::ASCII);
        record.precision(precision);
        ASSERT_TRUE(recordField(io, record));
        EXPECT_GT(record.nBytes(), 0u);
        record.writeTo(recorded);

        EXPECT_EQ(record.lineNumber(), os.lineNumber());
        EXPECT_TRUE(text.str() == recorded.str())
            << text.str().substr(0, 500) << "\nrecorded:\n"
            << recorded.str().substr(0, 500);
    }

    static bool taken(const regIOobject& io, IOstream::streamFormat format)
    {
        recordedStream record("recorded", format);
        const bool result = recordField(io, record);
        EXPECT_EQ(record.nBytes() > 0, result);
        return result;
    }
};


TEST_F(recordFieldTest, givesTheBytesOfOpenFOAM)
{
    surfaceScalarField phi
    (
        IOobject("phi", case_.mesh().time().timeName(), case_.mesh()),
        case_.mesh(),
        dimensionedScalar(dimVolume/dimTime, Zero)
    );
    phi.oriented() = orientedType(true);
    volSymmTensorField R
    (
        IOobject("R", case_.mesh().time().timeName(), case_.mesh()),
        case_.mesh(),
        dimensionedSymmTensor(dimPressure, Zero)
    );

    fill(case_.U());
    fill(case_.p());
    fill(phi);
    fill(R);

    for (const int precision : {6, 8, 17})
    {
        same(case_.U(), precision);
        same(case_.p(), precision);
        same(phi, precision);
        same(R, precision);
    }
}


TEST_F(recordFieldTest, leavesTheRestAlone)
{
    fill(case_.U());

    EXPECT_TRUE(taken(case_.U(), IOstream::ASCII));
    EXPECT_FALSE(taken(case_.U(), IOstream::BINARY));

    // Uniform
    case_.p() = dimensionedScalar("p", case_.p().dimensions(), 3.0);
    EXPECT_FALSE(taken(case_.p(), IOstream::ASCII));

    // No field
    EXPECT_FALSE
    (
        taken
        (
            labelIOList
            (
                IOobject("labels", "0", case_.mesh().time()),
                labelList(100000, 1)
            ),
            IOstream::ASCII
        )
    );
}

} // End namespace lbmTest
