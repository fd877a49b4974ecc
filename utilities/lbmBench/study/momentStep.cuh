/*---------------------------------------------------------------------------*\
Description
    A step of D3Q19 whose nodes keep ten moments in place of nineteen
    populations: density, velocity and second moment after the collision,

        m = [rho' ; u ; a],   a = sum c c h - rho'/3 = u u + n

    A collision that drops what the populations hold beyond these leaves
    nothing else to be kept. What leaves a node follows from

        h_i = w_i [rho' + 3 c.u + 9/2 (c c - I/3):a + third order]

    linear in m but for the third order. All that is done at a node stands here,
    for the kernels of moments.cu and for a loop on the host.

    J. Latt, B. Chopard, Math. Comput. Simul. 72 (2006) 165,
    doi:10.1016/j.matcom.2006.05.017; third order: regularisedRelaxation.H;
    moments instead of populations: J. Gounley et al., IEEE Trans. Parallel
    Distrib. Syst. 33 (2022) 642, doi:10.1109/TPDS.2021.3098456
\*---------------------------------------------------------------------------*/

#ifndef lbmBench_momentStep_cuh
#define lbmBench_momentStep_cuh

#include "studyFlow.cuh"

#include "collision/recursiveRegularised.H"
#include "moments/tileShape.H"

namespace lbmBench
{

using lbm::directionD3Q19;
using lbm::levelSums;
using lbm::lowerSums;
using lbm::nMoments;
using lbm::slantedSums;


// Collisions

    //- All of the stress relaxes alike; the equilibrium is of second order
    struct projection
    {
        static constexpr bool thirdOrder = false;
        static constexpr bool dropsTrace = false;
    };

    //- The engine's recursive one
    struct recursion
    {
        static constexpr bool thirdOrder = true;
        static constexpr bool dropsTrace = true;
    };


//- What leaves a node of these moments. Factors of the moments are those of the
//  directions along two axes, weight included. 1/36 and 1/12 are not numbers of
//  a machine: directions along one axis and none take what is left of momentum
//  and density, else both would grow by 3e-8 a step.
template<class Collision, class T>
class leaving
{
    using Lattice = lbm::D3Q19;

    T rest_, isotropic_, along_[3], cross_[3], odd_[3], straight_[3];

    //- [b][a]: third order, twice along b, once along a
    T third_[3][3];

public:

    LBM_HOST_DEVICE explicit leaving(const T (&m)[nMoments])
    {
        const T all = m[0] - T(1.5)*(m[4] + m[5] + m[6]);
        isotropic_ = T(1.0/36)*all;
        rest_ = all - T(24)*isotropic_;
        forEachIndex<3>([&](auto a)
        {
            along_[a] = T(0.125)*m[4 + a];
            cross_[a] = T(0.25)*m[7 + a];
            odd_[a] = T(1.0/12)*m[1 + a];
            straight_[a] = T(0.25)*m[1 + a] - T(2)*odd_[a];
        });
        if constexpr (Collision::thirdOrder)
        {
            // Of u_a (u_b u_b + n_bb) + 2 u_b n_ab, with n = a - u u
            forEachIndex<3>([&](auto b)
            {
                const T slope = T(0.5)*m[1 + b];
                const T twice = T(0.25)*m[4 + b] - slope*m[1 + b];
                forEachIndex<3>([&](auto a)
                {
                    if constexpr (a != b)
                    {
                        third_[b][a] = m[1 + a]*twice + slope*m[6 + a + b];
                    }
                });
            });
        }
    }

    //- The population of direction i
    template<int i>
    LBM_HOST_DEVICE T population() const
    {
        if constexpr (i == 0)
        {
            return rest_;
        }

        // The direction of a pair that goes forward along its first axis
        constexpr int f = i > 0 && i % 2 == 0 ? i - 1 : i;
        constexpr int nAxes =
            lbm::regularisedRelaxation::nAxes<Lattice>(i);

        T even = isotropic_;
        T odd = 0;
        forEachIndex<3>([&](auto a)
        {
            constexpr int ca = Lattice::c(f, a);
            if constexpr (ca != 0)
            {
                even += along_[a];
            }
            if constexpr (ca != 0 && nAxes == 1)
            {
                odd = straight_[a];
                if constexpr (Collision::thirdOrder)
                {
                    odd -= third_[(a + 1) % 3][a] + third_[(a + 2) % 3][a];
                }
            }
            forEachIndex<a>([&](auto b)
            {
                constexpr int cb = Lattice::c(f, b);
                if constexpr (ca*cb != 0)
                {
                    static_assert(cb == 1);
                    T first = odd_[b];
                    T second = odd_[a];
                    if constexpr (Collision::thirdOrder)
                    {
                        first += third_[a][b];
                        second += third_[b][a];
                    }
                    const T both = cross_[a + b - 1];
                    odd = ca == 1 ? first + second : first - second;
                    even = ca == 1 ? even + both : even - both;
                }
            });
        });
        return T(Lattice::weight(i))*(i == f ? even + odd : even - odd);
    }
};


//- From moments that enter a node, the second one whole, to those that it
//  keeps. keep: 1 less the rate
template<class Collision, class T>
LBM_HOST_DEVICE void relax(T (&m)[nMoments], T keep)
{
    T uu[6], neq[6];
    forEachIndex<3>([&](auto a)
    {
        forEachIndex<a + 1>([&](auto b)
        {
            constexpr int k = lbm::regularisedRelaxation::at(b, a);
            uu[k] = m[1 + a]*m[1 + b];
            neq[k] = m[4 + k] - uu[k];
        });
    });
    const T third = m[0]*T(1.0/3);
    forEachIndex<3>([&](auto a) { neq[a] -= third; });
    if constexpr (Collision::dropsTrace)
    {
        const T trace = (neq[0] + neq[1] + neq[2])*T(1.0/3);
        forEachIndex<3>([&](auto a) { neq[a] -= trace; });
    }
    forEachIndex<6>([&](auto k) { m[4 + k] = uu[k] + keep*neq[k]; });
}

//- along(i): what enters through direction i
template<class Collision, class T, class Along>
LBM_HOST_DEVICE void collideEntering
(
    const Along& along,
    T keep,
    T (&m)[nMoments]
)
{
    lowerSums<T>::of
    (
        slantedSums<T>::template of<1>(along), levelSums<T>::of(along)
    ).complete(slantedSums<T>::template of<-1>(along), m);
    relax<Collision>(m, keep);
}


//- The same collision of populations
template<class Collision>
struct populationsThroughMoments
{
    template<class Lattice, class Forcing, class T>
    LBM_HOST_DEVICE static void collide
    (
        T (&h)[Lattice::q],
        const lbm::collisionParameters<T>& p
    )
    {
        T m[nMoments];
        collideEntering<Collision>
        (
            [&](auto i) { return h[i]; }, T(1) - p.omegaEven, m
        );
        const leaving<Collision, T> out(m);
        forEachIndex<Lattice::q>([&](auto i)
        {
            h[i] = out.template population<i>();
        });
    }
};


// Where the moments of all nodes lie

    struct momentArrays
    {
        LBM_HOST_DEVICE static std::size_t slot(int k, unsigned n, unsigned all)
        {
            return std::size_t(all)*k + n;
        }

        LBM_HOST_DEVICE static void load
        (
            const float* from, unsigned n, unsigned all, float (&m)[nMoments]
        )
        {
            forEachIndex<nMoments>([&](auto k)
            {
                m[k] = from[slot(k, n, all)];
            });
        }

        LBM_HOST_DEVICE static void store
        (
            float* to, unsigned n, unsigned all, const float (&m)[nMoments]
        )
        {
            forEachIndex<nMoments>([&](auto k)
            {
                to[slot(k, n, all)] = m[k];
            });
        }
    };

    //- Arrays of vectors of 4, 4 and 2: wide words, and less that comes with a
    //  single node in the sectors of 32 bytes that a device moves
    struct momentVectors
    {
        LBM_HOST_DEVICE static std::size_t slot(int k, unsigned n, unsigned all)
        {
            return
                k < 8
              ? std::size_t(all)*(k & 4) + std::size_t(n)*4 + (k & 3)
              : std::size_t(all)*8 + std::size_t(n)*2 + (k - 8);
        }

        LBM_HOST_DEVICE static void load
        (
            const float* from, unsigned n, unsigned all, float (&m)[nMoments]
        )
        {
            forEachIndex<2>([&](auto v)
            {
                const float4 x = *reinterpret_cast<const float4*>
                (
                    from + slot(4*v, n, all)
                );
                m[4*v] = x.x;
                m[4*v + 1] = x.y;
                m[4*v + 2] = x.z;
                m[4*v + 3] = x.w;
            });
            const float2 y = *reinterpret_cast<const float2*>
            (
                from + slot(8, n, all)
            );
            m[8] = y.x;
            m[9] = y.y;
        }

        LBM_HOST_DEVICE static void store
        (
            float* to, unsigned n, unsigned all, const float (&m)[nMoments]
        )
        {
            forEachIndex<2>([&](auto v)
            {
                *reinterpret_cast<float4*>(to + slot(4*v, n, all)) = float4
                {
                    m[4*v], m[4*v + 1], m[4*v + 2], m[4*v + 3]
                };
            });
            *reinterpret_cast<float2*>(to + slot(8, n, all)) =
                float2{m[8], m[9]};
        }
    };


//- A node that computes what enters it from the moments of its neighbours
template<class Collision, class Layout>
struct pullMoments
{
    periodicBox box;
    const float* from;
    float* to;
    float keep;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        float m[nMoments];
        collideEntering<Collision>
        (
            [&](auto i)
            {
                float there[nMoments];
                Layout::load
                (
                    from, box.neighbour<lbm::D3Q19>(n, i, -1), box.nodes(),
                    there
                );
                return
                    leaving<Collision, float>(there).template population<i>();
            },
            keep,
            m
        );
        Layout::store(to, n, box.nodes(), m);
    }
};


//- A block of threads has a tile of columns, nx*ny of them, and goes along
//  them from plane to plane: put() shares what leaves the nodes of a plane and
//  of the columns around the tile; take(), when all have put, sums what comes
//  from that plane. A thread keeps the sums of its column until they are whole.
template<class Collision, class Layout, int nx, int ny>
struct tileMarch
{
    using Lattice = lbm::D3Q19;
    using shape = lbm::tileShape<nx, ny>;

    static constexpr int nThreads = shape::nThreads;
    static constexpr std::size_t sharedBytes = shape::nShared*sizeof(float);


    struct thread
    {
        //- Of the plane that is put next
        float own[nMoments], around[nMoments];

        //- What leaves along the column or not at all, by component + 1
        float upright[3];

        slantedSums<float> up;
        lowerSums<float> lower;

        //- Column in the box and place among those of the tile
        unsigned column, columnAround;
        int place, placeAround;

        //- Axis across which the column around lies, 2 if there is none, and
        //  which way along it what the column gives goes: 1 or -1
        int axis;
        float way;
    };


    periodicBox box;
    const float* from;
    float* to;
    float keep;

    //- That a block completes
    unsigned nPlanes;


    LBM_HOST_DEVICE unsigned tilesAlong(int axis) const
    {
        return box.size(axis)/(axis == 0 ? nx : axis == 1 ? ny : nPlanes);
    }

    LBM_HOST_DEVICE unsigned node(unsigned column, unsigned plane) const
    {
        const unsigned wrapped = plane & (box.size(2) - 1);
        return column + (wrapped << (box.log2Size[0] + box.log2Size[1]));
    }

    //- First plane that a block completes
    LBM_HOST_DEVICE unsigned firstPlane(unsigned block) const
    {
        return block/(tilesAlong(0)*tilesAlong(1))*nPlanes;
    }

    LBM_HOST_DEVICE void load(thread& t, unsigned plane) const
    {
        Layout::load(from, node(t.column, plane), box.nodes(), t.own);
        if (t.axis < 2)
        {
            Layout::load
            (
                from, node(t.columnAround, plane), box.nodes(), t.around
            );
        }
    }

    //- Before the plane below the first
    LBM_HOST_DEVICE thread start(unsigned block, int l) const
    {
        const int x0 = block % tilesAlong(0)*nx;
        const int y0 = block/tilesAlong(0) % tilesAlong(1)*ny;
        const auto columnAt = [&](int x, int y)
        {
            return
                ((x0 + x) & (box.size(0) - 1))
              | ((y0 + y) & (box.size(1) - 1)) << box.log2Size[0];
        };

        thread t;
        t.column = columnAt(l % nx, l/nx);
        t.place = l/nx*shape::pitch + l % nx;

        // The row below the tile, the row above, the columns left, right with
        // the corners
        int x = 0, y = 0;
        t.axis = l < 2*nx ? 1 : l < shape::nAround ? 0 : 2;
        bool back = false;
        if (t.axis == 1)
        {
            back = l >= nx;
            x = l % nx;
            y = back ? ny : -1;
        }
        else if (t.axis == 0)
        {
            back = l - 2*nx >= ny + 2;
            x = back ? nx : -1;
            y = (l - 2*nx) % (ny + 2) - 1;
        }
        t.columnAround = columnAt(x, y);
        t.placeAround =
            y*shape::pitch + x
          + (back ? shape::furtherOn(t.axis)*shape::arraySize : 0);
        t.way = back ? -1 : 1;

        t.up = {0, 0, 0, 0, 0};
        t.lower = {0, 0, 0, 0, 0, 0, 0, 0, 0};
        load(t, firstPlane(block) - 1);
        return t;
    }

    //- Put what the column around the tile gives to it. That is the same at
    //  both ends of an axis but for the sign along it.
    template<int axis>
    LBM_HOST_DEVICE static void putAround(const thread& t, float* shared)
    {
        float m[nMoments];
        forEachIndex<nMoments>([&](auto k)
        {
            // u_a, and a_xy, a_xz or a_xy, a_yz
            constexpr bool odd =
                k == 1 + axis || k == 7 || k == (axis == 0 ? 8 : 9);
            m[k] = odd ? t.way*t.around[k] : t.around[k];
        });
        const leaving<Collision, float> out(m);
        forEachIndex<Lattice::q>([&](auto i)
        {
            if constexpr (Lattice::c(i, axis) == 1)
            {
                constexpr int turned = directionD3Q19
                (
                    axis == 0 ? -1 : Lattice::c(i, 0),
                    axis == 1 ? -1 : Lattice::c(i, 1),
                    Lattice::c(i, 2)
                );
                static_assert
                (
                    shape::array(turned)
                 == shape::array(i) + shape::furtherOn(axis)
                );

                constexpr int first = shape::origin(i);
                shared[first + t.placeAround] = out.template population<i>();
            }
        });
    }

    //- Share what leaves a plane, then load the next one
    LBM_HOST_DEVICE void put
    (
        thread& t,
        unsigned next,
        bool isLast,
        float* shared
    ) const
    {
        const leaving<Collision, float> out(t.own);
        forEachIndex<Lattice::q>([&](auto i)
        {
            if constexpr (shape::leadsAway(i))
            {
                constexpr int first = shape::origin(i);
                shared[first + t.place] = out.template population<i>();
            }
            else
            {
                t.upright[Lattice::c(i, 2) + 1] =
                    out.template population<i>();
            }
        });
        if (t.axis == 1)
        {
            putAround<1>(t, shared);
        }
        else if (t.axis == 0)
        {
            putAround<0>(t, shared);
        }
        if (!isLast)
        {
            load(t, next);
        }
    }

    //- Sum what comes from a plane, and complete the one below
    LBM_HOST_DEVICE void take
    (
        thread& t,
        unsigned plane,
        bool completes,
        const float* shared
    ) const
    {
        const auto along = [&](auto i)
        {
            if constexpr (shape::leadsAway(i))
            {
                constexpr int there =
                    shape::origin(i)
                  - Lattice::c(i, 1)*shape::pitch - Lattice::c(i, 0);
                return shared[there + t.place];
            }
            else
            {
                return t.upright[Lattice::c(i, 2) + 1];
            }
        };
        if (completes)
        {
            float m[nMoments];
            t.lower.complete(slantedSums<float>::template of<-1>(along), m);
            relax<Collision>(m, keep);
            Layout::store(to, node(t.column, plane - 1), box.nodes(), m);
        }
        t.lower = lowerSums<float>::of(t.up, levelSums<float>::of(along));
        t.up = slantedSums<float>::template of<1>(along);
    }

    //- All of a block. wait(): until its threads have come here
    template<class Wait>
    LBM_HOST_DEVICE void operator()
    (
        unsigned block,
        int l,
        float* shared,
        const Wait& wait
    ) const
    {
        thread t = start(block, l);
        const unsigned first = firstPlane(block);
        for (unsigned k = 0; k < nPlanes + 2; ++k)
        {
            // What is put over has been taken before the last wait
            float* const plane = shared + (k % 2)*shape::planeSize;
            put(t, first + k, k == nPlanes + 1, plane);
            wait();
            take(t, first + k - 1, k > 1, plane);
        }
    }
};

} // End namespace lbmBench

#endif
