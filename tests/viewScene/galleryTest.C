// Pictures to look at: with LBM_GALLERY=<folder> they are written there

#include "framesDisplay.H"
#include "viewCase.H"
#include "volumeScene.H"

#include <chrono>
#include <cstdlib>

namespace lbmTest
{

lbmView::planeValues vortexStreet(int nx, int ny)
{
    const double D = ny/8.0, cx = 0.14*nx, cy = 0.5*ny;
    struct vortex { double x, y, radius, strength; };
    std::vector<vortex> all;

    // Two rows of opposite vortices (T. von Karman 1911: their distance is
    // 0.28 of that of vortices in a row), which grow and fade downstream
    const double pitch = 4.2*D;
    for (int n = 0; n < 16; ++n)
    {
        const double x = cx + 2.2*D + 0.5*n*pitch;
        const double age = (x - cx)/D;
        const double growth = 1 + 0.05*age;
        const int sign = n%2 ? 1 : -1;
        const double h = 0.28*pitch*(0.35 + 0.65*std::min(1.0, age/6));
        all.push_back
        (
            {x, cy - sign*0.5*h, 0.55*D*std::sqrt(growth), sign*9/growth}
        );
    }

    lbmView::planeValues p = plane
    (
        nx,
        ny,
        [&](int i, int j)
        {
            double w = 0;
            for (const vortex& v : all)
            {
                const double dx = (i - v.x)/1.25, dy = j - v.y;
                w += v.strength
                    *std::exp(-(dx*dx + dy*dy)/(v.radius*v.radius));
            }

            // Shear layers
            const double s = (i - cx)/D;
            const double r = std::hypot(i - cx, j - cy)/D;
            const double angle = (j - cy)/(r*D + 1e-9);
            w -= 14*angle*std::exp(-std::pow((r - 0.55)/0.09, 2))
                *(s < 0.35 ? 1 : std::exp(-9*std::pow(s - 0.35, 2)));
            for (const int sign : {-1, 1})
            {
                const double y = sign*(0.5 - 0.03*s) + 0.05*std::sin(2*s);
                const double d = ((j - cy)/D - y)/(0.09 + 0.03*std::max(s, 0.0));
                w -= sign*11*std::exp(-d*d)
                    *(s > 0 ? std::exp(-std::pow(s/1.5, 2)) : 0);
            }
            return float(w);
        }
    );
    p.spacing = 0.1/D;
    p.origin[0] = -cx*p.spacing;
    p.origin[1] = -cy*p.spacing;

    for (int j = 0; j < ny; ++j)
    {
        for (int i = 0; i < nx; ++i)
        {
            const std::size_t n = std::size_t(j)*nx + i;
            if (std::hypot(i - cx, j - cy) < 0.5*D)
            {
                p.kind[n] = lbmView::planeValues::outside;
            }
            if
            (
                std::hypot(i - 0.625*nx, j - 0.74*ny) < 0.32*D
             || std::hypot(i - 0.635*nx, j - 0.70*ny) < 0.32*D
             || std::hypot(i - 0.64*nx, j - 0.66*ny) < 0.32*D
            )
            {
                p.kind[n] = lbmView::planeValues::drawn;
            }
        }
    }
    return p;
}


namespace
{

class gallery : public ::testing::Test
{
protected:

    std::string folder;

    void SetUp() override
    {
        const char* set = std::getenv("LBM_GALLERY");
        if (!set)
        {
            GTEST_SKIP() << "LBM_GALLERY is not set";
        }
        folder = set;
        std::filesystem::create_directories(folder);
    }

    lbmView::planeLook look() const
    {
        lbmView::planeLook l;
        l.title = "Vorticity [1/s]";
        l.colours = "coolToWarm";
        l.min = -10;
        l.max = 10;
        l.time = 12.3456;
        l.step = 184320;
        l.mlups = 3127;
        l.help =
            "left: draw   right: erase   wheel: size of the brush"
            "   space: pause";
        return l;
    }
};

} // End unnamed namespace


TEST_F(gallery, plane)
{
    lbmView::planeScene scene;

    for (const auto& [nx, ny] : {std::pair(1024, 512), {1200, 240}, {300, 120},
        {96, 240}, {64, 64}, {4096, 1024}, {1, 80}, {200, 1}})
    {
        lbmView::planeValues p = vortexStreet(nx, ny);
        lbmView::planeLook l = look();
        if (nx == 300)
        {
            for (float& v : p.value)
            {
                v = std::abs(v)/6;
            }
            l.title = "|U| [m/s]";
            l.colours = "viridis";
            l.min = 0;
            l.max = 1.5;
            l.paused = true;
            l.brush = lbmView::planeBrush{210, 40, 12};
        }
        scene.draw(p, l);

        const auto start = std::chrono::steady_clock::now();
        constexpr int repeats = 10;
        for (int n = 0; n < repeats; ++n)
        {
            l.time += 0.01;
            l.step += 10;
            scene.draw(p, l);
        }
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;

        l.min *= 1.01;
        const auto again = std::chrono::steady_clock::now();
        const lbmView::viewPicture& picture = scene.draw(p, l);
        const std::chrono::duration<double, std::milli> first =
            std::chrono::steady_clock::now() - again;
        std::printf
        (
            "%d x %d: %d x %d pixels, %.2f ms a picture,"
            " %.2f ms with another range\n",
            nx, ny, picture.width, picture.height, taken.count()/repeats,
            first.count()
        );
        lbmView::writePng
        (
            picture,
            folder + "/plane_" + std::to_string(nx) + "x" + std::to_string(ny)
          + ".png"
        );
    }
}


// Vortex rings behind a sphere, in a channel with a floor
TEST_F(gallery, volume)
{
    lbmView::volumeValues box;
    box.nx = 160;
    box.ny = 72;
    box.nz = 72;
    box.spacing = 0.05;
    const double c[3] = {28, 35.5, 35.5}, radius = 10;

    for (int k = 0; k < box.nz; ++k)
    {
        for (int j = 0; j < box.ny; ++j)
        {
            for (int i = 0; i < box.nx; ++i)
            {
                const double x = i - c[0], y = j - c[1], z = k - c[2];
                const double r = std::sqrt(x*x + y*y + z*z);
                const double s = std::hypot(y, z);
                double u = 1, radial = 0;
                if (x > 0)
                {
                    u -= 0.7*std::exp(-s*s/150)*std::exp(-x/90);
                }
                const double q = std::pow(radius/std::max(r, radius), 3);
                u += 0.5*q*(1 - 3*x*x/(r*r + 1e-9));
                radial -= 1.5*q*x*s/(r*r + 1e-9);

                for (int n = 0; n < 4; ++n)
                {
                    const double xr = 22 + 27*n, rr = 11 + 1.2*n;
                    const double tilt = 0.15*(n%2 ? y : z);
                    const double dx = x - xr - tilt, dr = s - rr;
                    const double d2 = dx*dx + dr*dr, core = 16;
                    const double f = 2.2/(1 + 0.15*n)
                       *(1 - std::exp(-d2/core))/(d2 + 1e-9)
                       *std::exp(-d2/160);
                    u += 2*f*dr;
                    radial -= 2*f*dx;
                }
                const double floor = std::min(1.0, (k - 2.5)/6);
                const bool isBody = r < radius || k < 3;
                const bool isDrawn =
                    std::hypot(i - 112.0, j - 16.0) < 5 && k < 30 && !isBody;
                const float v[3] =
                {
                    float(u*floor),
                    float(radial*y/(s + 1e-9)*floor),
                    float(radial*z/(s + 1e-9)*floor)
                };
                box.U.insert(box.U.end(), v, v + 3);
                box.kind.push_back(isBody ? 0 : isDrawn ? 2 : 1);
            }
        }
    }

    lbmView::volumeScene scene;
    lbmView::volumeLook l;
    static_cast<lbmView::pictureLook&>(l) = look();
    l.title = "Vortices, |U| [m/s]";
    l.colours = "viridis";
    l.min = 0;
    l.max = 1.6;
    l.help = "left: turn   wheel: zoom   space: pause";

    for (const std::string name : {"vortices", "streamlines", "slices"})
    {
        if (name != "vortices")
        {
            l.title = "|U| [m/s]";
            l.iso = lbmView::volumeLook::surface::none;
        }
        if (name == "streamlines")
        {
            lbmView::volumeSeeds seeds;
            const double corner[3] = {0.05, 0.9, 0.9};
            std::copy_n(corner, 3, seeds.corner);
            seeds.edge[0][1] = 1.8;
            seeds.edge[1][2] = 1.8;
            seeds.count[0] = seeds.count[1] = 8;
            l.streamlines = {seeds};
            l.azimuth = 20;
            l.elevation = 15;
        }
        if (name == "slices")
        {
            l.streamlines.clear();
            l.slices = {{1, 1.775}, {0, 6}, {2, 0.3}};
            l.azimuth = 30;
            l.elevation = 25;
        }
        scene.draw(box, l);
        const auto start = std::chrono::steady_clock::now();
        const lbmView::viewPicture& picture = scene.draw(box, l);
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        std::printf
        (
            "%s: %d x %d pixels, %.0f ms (%s)\n",
            name.c_str(), picture.width, picture.height, taken.count(),
            scene.where().c_str()
        );
        lbmView::writePng(picture, folder + "/volume_" + name + ".png");
    }
}

} // End namespace lbmTest
