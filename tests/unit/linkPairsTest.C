// Collision of one pair of directions, against that of all populations

#include "TRT.H"
#include "collision/recursiveRegularised.H"
#include "descriptors/D2Q9.H"
#include "descriptors/D3Q19.H"
#include "descriptors/D3Q27.H"
#include "forcing/nodeForces.H"
#include "links/nodeState.H"

#include <gtest/gtest.h>

#include <random>

namespace lbmTest
{

template<class Lattice>
class linkPairs : public testing::Test
{
protected:

    static constexpr int q = Lattice::q;

    std::mt19937 generator_{q};

    double any(double most)
    {
        return std::uniform_real_distribution<double>(-most, most)(generator_);
    }

    //- A force, a drag and a frame that rotates, about the axis that a plane has
    lbm::nodeParameters<double> parameters()
    {
        lbm::collisionParameters<double> p{};
        p.omegaEven = 1.7 + any(0.2);
        p.omegaOdd = 1.2 + any(0.5);
        p.omegaTrace = 1 + any(0.5);
        for (int a = 0; a < Lattice::d; ++a)
        {
            p.force[a] = any(1e-3);
        }
        lbm::nodeParameters<double> result(p);
        result.drags = true;
        const double drag[6] = {0.1, 0.2, 0.3, 0.01, 0, 0};
        std::copy(drag, drag + 6, result.drag);
        result.rotation.acts = true;
        result.rotation.omega[2] = 0.01;
        return result;
    }

    //- tau of the even moments
    static double tau(const lbm::nodeParameters<double>& p)
    {
        return 1/p.omegaEven;
    }

    //- Largest difference in any direction, of populations of order 0.1
    template<class Operation>
    double difference(const double (&h)[q], const lbm::nodeParameters<double>& p)
    {
        const auto s = lbm::stateOf<Lattice>(h, p, tau(p));
        const typename Operation::template pairs<Lattice, double> pairs
        (
            lbm::unrelaxed(s, p, tau(p)), p
        );
        double after[q];
        std::copy(h, h + q, after);
        Operation::template collide<Lattice, lbm::guoForcing>(after, p);

        double most = 0;
        for (int i = 1; i < q; ++i)
        {
            const int j = lbm::opposite(i);
            const auto pair = pairs.after
            (
                lbm::linkDirection<Lattice, double>(i),
                {0.5*(h[i] + h[j]), 0.5*(h[i] - h[j])}
            );
            most = std::max(most, std::abs(pair.even + pair.odd - after[i]));
            most = std::max(most, std::abs(pair.even - pair.odd - after[j]));
        }
        return most;
    }
};

using lattices = testing::Types<lbm::D2Q9, lbm::D3Q19, lbm::D3Q27>;
TYPED_TEST_SUITE(linkPairs, lattices);


TYPED_TEST(linkPairs, directionsAreThoseOfTheLattice)
{
    using L = TypeParam;
    for (int i = 0; i < L::q; ++i)
    {
        const lbm::linkDirection<L, double> k(i);
        EXPECT_EQ(k.i, i);
        EXPECT_EQ(k.w, double(L::weight(i))/L::weightSum);
        double cc = 0;
        for (int a = 0; a < 3; ++a)
        {
            EXPECT_EQ(k.c[a], L::c(i, a));
            cc += k.c[a]*k.c[a];
        }
        EXPECT_EQ(k.cc, cc);
        for (unsigned axes = 0; i > 0 && axes < (L::d == 3 ? 8 : 4); ++axes)
        {
            const auto m = k.reversed().mirrored(axes);
            for (int a = 0; a < 3; ++a)
            {
                EXPECT_EQ(m.c[a], L::c(m.i, a));
                EXPECT_EQ(m.c[a], (axes >> a & 1 ? 1 : -1)*k.c[a]);
            }
        }
    }
}


TYPED_TEST(linkPairs, collideAsAllDo)
{
    for (int n = 0; n < 20; ++n)
    {
        double h[TypeParam::q];
        for (double& x : h)
        {
            x = this->any(0.1);
        }
        const auto p = this->parameters();
        EXPECT_LT
        (
            this->template difference<lbm::pairRelaxation>(h, p), 1e-15
        );
        EXPECT_LT
        (
            this->template difference<lbm::regularisedRelaxation>(h, p), 1e-15
        );
    }
}


TYPED_TEST(linkPairs, areThoseOfAState)
{
    using L = TypeParam;
    for (int n = 0; n < 20; ++n)
    {
        double h[L::q];
        for (double& x : h)
        {
            x = this->any(0.1);
        }
        const auto p = this->parameters();
        const double tau = this->tau(p);
        const auto s = lbm::stateOf<L>(h, p, tau);
        lbm::populationsOf<L>(s, p, tau, h);
        const auto from = lbm::unrelaxed(s, p, tau);
        for (int i = 1; i < L::q; ++i)
        {
            const int j = lbm::opposite(i);
            const auto pair = from.pair(lbm::linkDirection<L, double>(i));
            EXPECT_NEAR(pair.even, 0.5*(h[i] + h[j]), 1e-15);
            EXPECT_NEAR(pair.odd, 0.5*(h[i] - h[j]), 1e-15);
        }
    }
}

} // End namespace lbmTest
