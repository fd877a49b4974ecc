#include "exchange/enginePart.H"

#include <algorithm>
#include <cmath>

namespace lbm
{

void checkForces
(
    const double* a,
    const double* drag,
    std::int64_t node
)
{
    const auto text = [](const double* x, int n)
    {
        std::string result("(");
        for (int k = 0; k < n; ++k)
        {
            result += (k ? " " : "") + std::to_string(x[k]);
        }
        return result + ")";
    };
    if (!std::isfinite(a[0] + a[1] + a[2]))
    {
        throw error
        (
            "acceleration " + text(a, 3) + " of node " + std::to_string(node)
        );
    }
    if (!drag)
    {
        return;
    }

    // Cofactors are to be numbers in single precision
    constexpr double most = 1e12, rounding = 1e-6;
    bool good = true;
    for (int k = 0; k < 6; ++k)
    {
        good = good && std::abs(drag[k]) < most;
    }

    // Eigenvalues are not below zero if no principal minor is
    const double xx = drag[0], yy = drag[1], zz = drag[2];
    const double xy = drag[3], xz = drag[4], yz = drag[5];
    const double det =
        xx*(yy*zz - yz*yz) - xy*(xy*zz - xz*yz) + xz*(xy*yz - xz*yy);
    const double scale = xx + yy + zz;
    good =
        good && xx >= -rounding*scale && yy >= -rounding*scale
     && zz >= -rounding*scale
     && xx*yy - xy*xy >= -rounding*scale*scale
     && xx*zz - xz*xz >= -rounding*scale*scale
     && yy*zz - yz*yz >= -rounding*scale*scale
     && det >= -rounding*scale*scale*scale;
    if (!good)
    {
        throw error
        (
            "drag " + text(drag, 6) + " of node " + std::to_string(node)
          + " drives the flow, or is above " + std::to_string(most)
        );
    }
}


void checkViscosities
(
    std::int64_t first,
    std::int64_t count,
    const double* nu
)
{
    const auto bad = std::find_if
    (
        nu,
        nu + count,
        [](double x) { return !(x > 0 && std::isfinite(x)); }
    );
    if (bad != nu + count)
    {
        throw error
        (
            "viscosity " + std::to_string(*bad) + " of node "
          + std::to_string(first + (bad - nu)) + " is not positive"
        );
    }
}

} // End namespace lbm
