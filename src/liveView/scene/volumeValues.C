#include "volumeValues.H"

#include <algorithm>
#include <cmath>

namespace lbmView
{

std::size_t sizeOf(const volumeValues& box)
{
    return
        std::size_t(std::max(box.nx, 0))
       *std::max(box.ny, 0)*std::max(box.nz, 0);
}


volumeSeeds upstreamSeeds(const volumeValues& box, const int count)
{
    double mean[3] = {0, 0, 0};
    for (std::size_t n = 0; n < sizeOf(box); ++n)
    {
        for (int d = 0; d < 3 && isFluid(box, n); ++d)
        {
            const double u = box.U[3*n + d];
            mean[d] += std::isfinite(u) ? u : 0;
        }
    }

    int along = 0;
    for (const int d : {1, 2})
    {
        along = std::abs(mean[d]) > std::abs(mean[along]) ? d : along;
    }

    const int size[3] = {box.nx, box.ny, box.nz};
    const int across[2] = {(along + 1)%3, (along + 2)%3};
    const double longest = std::max(size[across[0]], size[across[1]]);

    volumeSeeds seeds;
    for (int d = 0; d < 3; ++d)
    {
        seeds.corner[d] = box.origin[d];
    }
    seeds.corner[along] +=
        (mean[along] < 0 ? 0.98 : 0.02)*(size[along] - 1)*box.spacing;

    for (int e = 0; e < 2; ++e)
    {
        const int d = across[e];
        seeds.count[e] =
            std::max(2, int(std::lround(count*size[d]/longest)));

        // In the middles of equal parts
        const double length = (size[d] - 1)*box.spacing;
        seeds.corner[d] += 0.5*length/seeds.count[e];
        seeds.edge[e][d] = length*(1 - 1.0/seeds.count[e]);
    }
    return seeds;
}


std::array<double, 9> velocityGradient
(
    const volumeValues& box,
    int i,
    int j,
    int k
)
{
    const int at[3] = {i, j, k};
    const int size[3] = {box.nx, box.ny, box.nz};
    const std::size_t stride[3] =
        {1, std::size_t(box.nx), std::size_t(box.nx)*box.ny};
    const std::size_t n = i + j*stride[1] + k*stride[2];

    std::array<double, 9> gradient{};
    for (int d = 0; d < 3; ++d)
    {
        const bool before = at[d] > 0 && isFluid(box, n - stride[d]);
        const bool after = at[d] + 1 < size[d] && isFluid(box, n + stride[d]);
        const std::size_t n0 = before ? n - stride[d] : n;
        const std::size_t n1 = after ? n + stride[d] : n;
        if (n0 == n1)
        {
            continue;
        }
        const double perLength = 1/(box.spacing*(before + after));
        for (int c = 0; c < 3; ++c)
        {
            gradient[3*d + c] =
                (double(box.U[3*n1 + c]) - box.U[3*n0 + c])*perLength;
        }
    }
    return gradient;
}


std::vector<float> qCriterion(const volumeValues& box)
{
    std::vector<float> q(sizeOf(box), 0);
    std::size_t n = 0;

    for (int k = 0; k < box.nz; ++k)
    {
        for (int j = 0; j < box.ny; ++j)
        {
            for (int i = 0; i < box.nx; ++i, ++n)
            {
                if (!isFluid(box, n))
                {
                    continue;
                }

                // Half of tr(g)^2 - tr(g^2)
                const std::array<double, 9> g = velocityGradient(box, i, j, k);
                const double trace = g[0] + g[4] + g[8];
                const double square =
                    g[0]*g[0] + g[4]*g[4] + g[8]*g[8]
                  + 2*(g[1]*g[3] + g[2]*g[6] + g[5]*g[7]);
                q[n] = float(0.5*(trace*trace - square));
            }
        }
    }
    return q;
}

} // End namespace lbmView
