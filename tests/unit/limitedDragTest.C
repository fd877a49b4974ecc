// The limit of a drag along its principal axes

#include "limitedDrag.H"
#include "mathematicalConstants.H"
#include "quaternion.H"

#include <gtest/gtest.h>

#include <random>

using namespace Foam;

TEST(limitedDrag, changesRatesAboveTheLimitAlone)
{
    std::mt19937 generator(5);
    std::uniform_real_distribution<scalar> any(-1, 1);
    const scalar largest = 100;

    for (const vector& rates : {
        vector(0, 1, 1e8), vector(3, 1e4, 1e4), vector(200, 300, 400),
        vector(1e8, 1e8, 1e8), vector(0, 0, 1e6)})
    for (int i = 0; i < 100; ++i)
    {
        const vector axis(any(generator), any(generator), any(generator));
        const tensor Q
        (
            quaternion(axis/mag(axis), any(generator)*constant::mathematical::pi)
           .R()
        );
        const vector along(any(generator), any(generator), any(generator));

        const auto turned = [&](const vector& x)
        {
            return
                symm(Q & tensor(x.x(), 0, 0, 0, x.y(), 0, 0, 0, x.z()) & Q.T());
        };
        symmTensor sigma(turned(rates));
        vector a(Q & along);
        const scalar found = limitDrag(largest, sigma, a);
        EXPECT_NEAR(found/cmptMax(rates), 1, 1e-12);

        vector wantedRates, wantedA;
        for (direction d = 0; d < 3; ++d)
        {
            wantedRates[d] = min(rates[d], largest);
            wantedA[d] =
                along[d]*(rates[d] > largest ? largest/rates[d] : scalar(1));
        }

        // Rounding of the largest rate turns the axes
        EXPECT_LT(mag(sigma - turned(wantedRates)), 1e-4);
        EXPECT_LT(mag(a - (Q & wantedA)), 1e-6);
    }
}

TEST(limitedDrag, leavesSmallerOnesAsTheyAre)
{
    const symmTensor given(30, 5, -7, 80, 2, 0);
    const vector givenA(1, 2, 3);
    symmTensor sigma(given);
    vector a(givenA);
    EXPECT_EQ(limitDrag(100, sigma, a), 0);
    EXPECT_EQ(sigma, given);
    EXPECT_EQ(a, givenA);
}

TEST(limitedDrag, takesPlanes)
{
    symmTensor sigma(500, 0, 0, 500, 0, 0);
    vector a(10, -5, 0);
    EXPECT_EQ(limitDrag(100, sigma, a), 500);
    EXPECT_LT(mag(sigma - symmTensor(100, 0, 0, 100, 0, 0)), 1e-12);
    EXPECT_LT(mag(a - vector(2, -1, 0)), 1e-14);
}
