// Boxes of velocities in pictures: gradients, surfaces, solids

#include "viewCase.H"
#include "viewDisplay.H"
#include "volumeScene.H"

#include <limits>

namespace lbmTest
{

using lbmView::viewPicture;
using lbmView::volumeLook;
using lbmView::volumeScene;
using lbmView::volumeValues;
using vector = std::array<double, 3>;

namespace
{

volumeValues box(int n, const std::function<vector(vector)>& U)
{
    volumeValues b;
    b.nx = b.ny = b.nz = n;
    b.spacing = 2.0/(n - 1);
    for (double& x : b.origin)
    {
        x = -1;
    }
    for (int k = 0; k < n; ++k)
    {
        for (int j = 0; j < n; ++j)
        {
            for (int i = 0; i < n; ++i)
            {
                const double s = b.spacing;
                for (const double u : U({i*s - 1, j*s - 1, k*s - 1}))
                {
                    b.U.push_back(float(u));
                }
            }
        }
    }
    b.kind.assign(std::size_t(n)*n*n, lbmView::planeValues::fluid);
    return b;
}


double length(const vector& x)
{
    return std::sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2]);
}


volumeLook look()
{
    volumeLook l;
    l.title = "|U| [m/s]";
    l.maxWidth = 640;
    l.maxHeight = 480;
    l.min = 0;
    l.max = 2;
    l.iso = volumeLook::surface::none;
    l.azimuth = 0;
    l.elevation = 0;
    return l;
}


//- Pixels that differ between two pictures
int differing(const viewPicture& a, const viewPicture& b)
{
    int n = 0;
    for (int y = 0; y < a.height; ++y)
    {
        for (int x = 0; x < a.width; ++x)
        {
            n += pixel(a, x, y) != pixel(b, x, y);
        }
    }
    return n;
}


class volume : public ::testing::Test
{
protected:

    std::unique_ptr<volumeScene> scene;

    void SetUp() override
    {
        try
        {
            scene = std::make_unique<volumeScene>();
        }
        catch (const lbmView::viewError& error)
        {
            GTEST_SKIP() << error.what();
        }
    }
};

} // End unnamed namespace


TEST(velocityGradient, ofLinearFieldsIsExact)
{
    // Also at the faces of the box and beside solids
    const double g[3][3] = {{1, -2, 3}, {0.5, -4, 2}, {-1, 6, 3}};
    volumeValues b = box
    (
        5,
        [&](const vector& x)
        {
            vector u = {0, 0, 0};
            for (int d = 0; d < 3; ++d)
            {
                for (int c = 0; c < 3; ++c)
                {
                    u[c] += g[d][c]*x[d];
                }
            }
            return u;
        }
    );
    const std::size_t solid = 2 + 5*(2 + 5*2);
    b.kind[solid] = lbmView::planeValues::drawn;
    for (int c = 0; c < 3; ++c)
    {
        b.U[3*solid + c] = std::numeric_limits<float>::quiet_NaN();
    }

    const std::vector<float> q = lbmView::qCriterion(b);
    double trace = 0, square = 0;
    for (int d = 0; d < 3; ++d)
    {
        trace += g[d][d];
        for (int c = 0; c < 3; ++c)
        {
            square += g[d][c]*g[c][d];
        }
    }
    for (std::size_t n = 0; n < q.size(); ++n)
    {
        if (n == solid)
        {
            EXPECT_EQ(q[n], 0);
            continue;
        }
        EXPECT_NEAR(q[n], 0.5*(trace*trace - square), 1e-4);
    }
}


TEST(velocityGradient, rigidRotation)
{
    // Q is the square of the angular velocity
    const volumeValues b = box
    (
        6,
        [](const vector& x) { return vector{-3*x[1], 3*x[0], 0}; }
    );
    for (const float q : lbmView::qCriterion(b))
    {
        EXPECT_NEAR(q, 9, 1e-4);
    }
}


TEST(upstreamSeeds, areAcrossTheFlowWhereItEnters)
{
    for (int along = 0; along < 3; ++along)
    {
        for (const double sign : {-1, 1})
        {
            const volumeValues b = box
            (
                11,
                [&](const vector&)
                {
                    vector u = {0.1, -0.1, 0.1};
                    u[along] = 2*sign;
                    return u;
                }
            );
            const double first = b.origin[along];
            const double last = first + 10*b.spacing;
            const lbmView::volumeSeeds s = lbmView::upstreamSeeds(b, 5);

            EXPECT_LT
            (
                std::abs(s.corner[along] - (sign > 0 ? first : last)),
                b.spacing
            );
            EXPECT_EQ(s.count[0]*s.count[1], 25);

            for (int d = 0; d < 3; ++d)
            {
                // In the middle of the box
                const double middle =
                    s.corner[d] + 0.5*(s.edge[0][d] + s.edge[1][d]);
                if (d != along)
                {
                    EXPECT_NEAR
                    (
                        middle,
                        b.origin[d] + 5*b.spacing,
                        1e-6*b.spacing
                    );
                }
            }
        }
    }
}


TEST_F(volume, sphereHasTheAreaOfItsCircle)
{
    const volumeValues b = box
    (
        48,
        [](const vector& x) { return vector{length(x), 0, 0}; }
    );
    volumeLook l = look();
    const viewPicture without = scene->draw(b, l);
    l.iso = volumeLook::surface::magU;

    for (const double radius : {0.3, 0.6})
    {
        l.level = radius;
        const viewPicture with = scene->draw(b, l);
        ASSERT_EQ(with.width, without.width);

        // From the lines of text downwards
        int x0 = with.width, x1 = 0, n = 0;
        int boxX0 = with.width, boxX1 = 0;
        for (int y = 40; y < with.height - 60; ++y)
        {
            for (int x = 10; x < with.width - 110; ++x)
            {
                const lbmView::colour c = pixel(without, x, y);
                // Not the names of the axes, half-way along the edges
                if (c[0] < 180 && y < with.height/4)
                {
                    boxX0 = std::min(boxX0, x);
                    boxX1 = std::max(boxX1, x);
                }
                if (pixel(with, x, y) != c)
                {
                    ++n;
                    x0 = std::min(x0, x);
                    x1 = std::max(x1, x);
                }
            }
        }

        // The near face of the box, of length 2, is nearer than the sphere
        const double diameter = x1 - x0 + 1;
        EXPECT_NEAR(n, 0.25*M_PI*diameter*diameter, 0.04*n);
        EXPECT_NEAR(0.5*(x0 + x1), 0.5*(boxX0 + boxX1), 3);
        const double part = diameter/(boxX1 - boxX0 + 1);
        EXPECT_LT(part, radius*1.02);
        EXPECT_GT(part, radius*0.7);

        // In the colour of its speed, but for the light
        const lbmView::colour c = pixel(with, (x0 + x1)/2, with.height/2 - 20);
        const lbmView::colour flat =
            lbmView::colourMap("viridis")[int(128*radius)];
        for (int d = 0; d < 3; ++d)
        {
            EXPECT_NEAR(c[d], flat[d], 60);
        }
    }
}


TEST_F(volume, levelsWithoutSurface)
{
    const volumeValues b = box
    (
        12,
        [](const vector& x) { return vector{length(x), 0, 0}; }
    );
    volumeLook l = look();
    for (const auto iso : {volumeLook::surface::magU, volumeLook::surface::Q})
    {
        // The text above says the level: compare below it
        l.iso = iso;
        l.level = 1e6;
        const viewPicture above = scene->draw(b, l);
        l.level = 1e7;
        EXPECT_LT(differing(above, scene->draw(b, l)), 300);
    }

    // Fluid at rest, no fluid, no number
    l.level.reset();
    volumeValues rest = b;
    std::fill(rest.U.begin(), rest.U.end(), 0.0f);
    EXPECT_NO_THROW(scene->draw(rest, l));
    std::fill(rest.kind.begin(), rest.kind.end(), 0);
    EXPECT_NO_THROW(scene->draw(rest, l));
    volumeValues broken = b;
    std::fill
    (
        broken.U.begin(),
        broken.U.end(),
        std::numeric_limits<float>::quiet_NaN()
    );
    l.streamlines.resize(1);
    l.slices.resize(1);
    EXPECT_NO_THROW(scene->draw(broken, l));
    l.iso = volumeLook::surface::magU;
    EXPECT_NO_THROW(scene->draw(broken, l));
}


TEST_F(volume, automaticLevelOfVortices)
{
    // A vortex along z in fluid that strains elsewhere
    const volumeValues b = box
    (
        32,
        [](const vector& x)
        {
            const double f = std::exp(-8*(x[0]*x[0] + x[1]*x[1]));
            return vector{-x[1]*f, x[0]*f, 0};
        }
    );
    volumeLook l = look();
    const viewPicture without = scene->draw(b, l);
    l.iso = volumeLook::surface::Q;
    const viewPicture with = scene->draw(b, l);
    EXPECT_GT(scene->level(), 0);
    EXPECT_LT(scene->level(), 1);
    EXPECT_GT(differing(without, with), 1000);
}


TEST_F(volume, solidsSlicesAndStreamlinesAreSeen)
{
    volumeValues b = box(24, [](const vector&) { return vector{1, 0, 0}; });
    volumeLook l = look();
    const viewPicture empty = scene->draw(b, l);
    EXPECT_EQ(differing(empty, scene->draw(b, l)), 0);

    volumeLook with = l;
    with.slices = {{1, 0.0}};
    EXPECT_GT(differing(empty, scene->draw(b, with)), 20000);
    with.slices = {{1, 55.0}};
    EXPECT_EQ(differing(empty, scene->draw(b, with)), 0);
    with.slices.clear();

    with.streamlines.resize(1);
    with.streamlines[0].corner[0] = -0.9;
    with.streamlines[0].corner[2] = -0.5;
    with.streamlines[0].edge[0][2] = 1;
    EXPECT_GT(differing(empty, scene->draw(b, with)), 2000);

    // Obstacles come and go; the outside is not seen
    const auto fill = [&](std::uint8_t kind)
    {
        for (int k = 8; k < 16; ++k)
        {
            for (int j = 8; j < 16; ++j)
            {
                for (int i = 8; i < 16; ++i)
                {
                    b.kind[i + 24*(j + 24*k)] = kind;
                }
            }
        }
    };
    for (const std::uint8_t kind : {0, 2})
    {
        fill(kind);
        const viewPicture solid = scene->draw(b, l);
        EXPECT_GT(differing(empty, solid), 2000);
        const lbmView::colour c =
            pixel(solid, (solid.width - 80)/2, solid.height/2 - 20);
        if (kind == 2)
        {
            EXPECT_GT(c[0], c[2] + 50);
        }
        else
        {
            EXPECT_NEAR(c[0], c[2], 30);
        }
        volumeLook hidden = l;
        hidden.solids = false;
        EXPECT_EQ(differing(empty, scene->draw(b, hidden)), 0);
    }
    fill(1);
    EXPECT_EQ(differing(empty, scene->draw(b, l)), 0);

    for (int k = 0; k < 24; ++k)
    {
        for (int j = 0; j < 24; ++j)
        {
            for (int i = 0; i < 24; ++i)
            {
                const bool edge =
                    std::min({i, j, k}) == 0 || std::max({i, j, k}) == 23;
                b.kind[i + 24*(j + 24*k)] = !edge;
            }
        }
    }
    EXPECT_EQ(differing(empty, scene->draw(b, l)), 0);
}


TEST_F(volume, camera)
{
    const volumeValues b = box
    (
        16,
        [](const vector& x) { return vector{x[0] + 1.0, 0, 0}; }
    );
    volumeLook l = look();
    // The first values but one have a speed of 2/15, the last but one 28/15
    l.slices = {{0, -0.9}, {0, 0.9}};

    // x is to the right, whichever axis is up: the slices are seen from their
    // edges, and from the side where x is large after a quarter turn
    const auto& table = lbmView::colourMap("viridis");
    for (const int up : {1, 2})
    {
        l.up = up;
        l.azimuth = 90;
        const viewPicture right = scene->draw(b, l);
        l.azimuth = -90;
        const viewPicture left = scene->draw(b, l);
        const int x = (right.width - 80)/2, y = right.height/2 - 20;
        for (int d = 0; d < 3; ++d)
        {
            EXPECT_NEAR(pixel(right, x, y)[d], table[238][d], 5);
            EXPECT_NEAR(pixel(left, x, y)[d], table[17][d], 5);
        }
    }

    // Sizes of one value and of an unequal box
    for (const int n : {1, 2})
    {
        volumeValues thin;
        thin.nx = 40*n;
        thin.ny = n;
        thin.nz = 1;
        thin.U.assign(3*40*n*n, 1.0f);
        l.iso = volumeLook::surface::Q;
        EXPECT_NO_THROW(scene->draw(thin, l));
    }

    volumeValues wrong = b;
    wrong.U.pop_back();
    EXPECT_THROW(scene->draw(wrong, l), lbmView::viewError);
    EXPECT_THROW(scene->draw(volumeValues(), l), lbmView::viewError);
    l.colours = "nothing";
    EXPECT_THROW(scene->draw(b, l), lbmView::viewError);
}


TEST(volumeScene, everyRendererDrawsTheSame)
{
    const volumeValues b = box
    (
        24,
        [](const vector& x) { return vector{length(x), 0, 0}; }
    );
    volumeLook l = look();
    l.iso = volumeLook::surface::magU;
    l.level = 0.6;
    viewPicture first;

    for (const auto with : {volumeScene::renderer::surfaceless,
        volumeScene::renderer::device, volumeScene::renderer::xvfb,
        volumeScene::renderer::surfaceless})
    {
        try
        {
            volumeScene scene(with);
            const viewPicture picture = scene.draw(b, l);
            if (first.width == 0)
            {
                first = picture;
            }

            // To the rounding of drivers
            EXPECT_LT
            (
                differing(first, picture),
                0.05*picture.width*picture.height
            ) << scene.where();
            std::printf("%s\n", scene.where().c_str());
        }
        catch (const lbmView::viewError&)
        {
            std::printf("a renderer is not here\n");
        }
    }
}

} // End namespace lbmTest
