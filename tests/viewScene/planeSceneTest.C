// Planes of values in pictures: colours, solids, sizes, the way back

#include "viewCase.H"
#include "viewDisplay.H"

#include <limits>
#include <thread>

namespace lbmTest
{

using lbmView::planeLook;
using lbmView::planeScene;
using lbmView::planeValues;
using lbmView::viewPicture;

namespace
{

constexpr float nan = std::numeric_limits<float>::quiet_NaN();


planeLook look(double min, double max)
{
    planeLook l;
    l.title = "|U| [m/s]";
    l.min = min;
    l.max = max;
    l.maxWidth = 900;
    l.maxHeight = 700;
    return l;
}


//- The colour in the middle of a value
lbmView::colour colourAt
(
    const planeScene& scene,
    const viewPicture& picture,
    int i,
    int j
)
{
    double x, y;
    scene.pixelAt(i, j, x, y);
    return pixel(picture, int(std::floor(x)), int(std::floor(y)));
}

} // End unnamed namespace


TEST(planeScene, rampHasTheColoursOfTheMap)
{
    // A value an entry of the table: in its middle
    const planeValues p = plane(256, 8, [](int i, int) { return i + 0.5f; });

    for (const std::string& name : lbmView::colourMapNames())
    {
        planeScene scene;
        planeLook l = look(0, 256);
        l.colours = name;
        const viewPicture& picture = scene.draw(p, l);
        for (int i = 0; i < 256; ++i)
        {
            EXPECT_EQ
            (
                colourAt(scene, picture, i, 3),
                lbmView::colourMap(name)[i]
            ) << name << ' ' << i;
        }
    }
}


TEST(planeScene, knownColours)
{
    using lbmView::colour;

    EXPECT_EQ(lbmView::colourMap("viridis")[0], (colour{0x44, 0x01, 0x54}));
    EXPECT_EQ(lbmView::colourMap("viridis")[255], (colour{0xfd, 0xe7, 0x25}));
    EXPECT_EQ(lbmView::colourMap("coolToWarm")[0], (colour{59, 76, 192}));
    EXPECT_EQ(lbmView::colourMap("coolToWarm")[255], (colour{180, 4, 38}));

    // Grey in the middle
    const colour middle = lbmView::colourMap("coolToWarm")[128];
    EXPECT_NEAR(middle[0], middle[2], 6);
    EXPECT_GT(middle[1], 200);

    EXPECT_THROW(lbmView::colourMap("none"), lbmView::viewError);
}


TEST(planeScene, lowestRowIsBelow)
{
    const planeValues p = plane(16, 9, [](int, int j) { return float(j); });
    planeScene scene;
    const viewPicture& picture = scene.draw(p, look(0, 8));

    const auto& table = lbmView::colourMap("viridis");
    EXPECT_EQ(colourAt(scene, picture, 4, 0), table[0]);
    EXPECT_EQ(colourAt(scene, picture, 4, 8), table[255]);

    double x0, y0, x1, y1;
    scene.pixelAt(4, 0, x0, y0);
    scene.pixelAt(4, 8, x1, y1);
    EXPECT_GT(y0, y1);
}


TEST(planeScene, interpolatesBetweenFluidOnly)
{
    planeValues p = plane(4, 1, [](int i, int) { return i < 2 ? 0 : 1; });
    planeScene scene;
    planeLook l = look(0, 1);
    const auto& table = lbmView::colourMap("viridis");

    // Half-way between unequal values, the colour between theirs
    const viewPicture smooth = scene.draw(p, l);
    double x, y;
    scene.pixelAt(1.5, 0, x, y);
    EXPECT_NEAR(pixel(smooth, int(x), int(y))[1], table[128][1], 3);

    l.smooth = false;
    const viewPicture blocks = scene.draw(p, l);
    EXPECT_EQ(pixel(blocks, int(std::floor(x)), int(y)), table[0]);
    EXPECT_EQ(pixel(blocks, int(std::ceil(x)), int(y)), table[255]);

    // A solid gives nothing to its neighbours
    l.smooth = true;
    p.kind[1] = planeValues::drawn;
    p.value[1] = 1e30f;
    const viewPicture solid = scene.draw(p, l);
    scene.pixelAt(0.45, 0, x, y);
    EXPECT_EQ(pixel(solid, int(x), int(y)), table[0]);
}


TEST(planeScene, valueAtIsTheInverseOfDrawing)
{
    // Magnified, one to one and reduced
    const std::pair<int, int> sizes[] =
        {{7, 5}, {33, 90}, {300, 200}, {700, 90}, {2000, 1100}, {1, 40}, {50, 1}};

    for (const auto& [nx, ny] : sizes)
    {
        SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny));

        // One value is different
        const int ci = nx/3, cj = ny/4;
        planeValues p = plane
        (
            nx,
            ny,
            [&, ci = ci, cj = cj](int i, int j)
            {
                return float(i == ci && j == cj);
            }
        );
        planeScene scene;
        planeLook l = look(0, 0.01);
        l.smooth = false;
        const viewPicture& picture = scene.draw(p, l);
        const auto& bright = lbmView::colourMap("viridis")[255];

        int found = 0;
        bool left = false, below = false;
        for (int y = 0; y < picture.height; ++y)
        {
            for (int x = 0; x < picture.width; ++x)
            {
                double i, j;
                if (!scene.valueAt(x, y, i, j))
                {
                    continue;
                }
                ASSERT_TRUE(i >= -0.5 && i < nx - 0.5);
                ASSERT_TRUE(j > -0.5 && j <= ny - 0.5);
                left = left || i < 1/scene.magnification();
                below = below || j < 1/scene.magnification();

                double px, py;
                scene.pixelAt(i, j, px, py);
                ASSERT_NEAR(px, x, 1e-6);
                ASSERT_NEAR(py, y, 1e-6);

                if (pixel(picture, x, y) == bright)
                {
                    ++found;
                    const double reach =
                        std::max(0.5, 1/scene.magnification()) + 1e-6;
                    EXPECT_NEAR(i, ci, reach);
                    EXPECT_NEAR(j, cj, reach);
                }
            }
        }
        EXPECT_TRUE(left && below);
        const double m = std::max(1.0, scene.magnification());
        EXPECT_EQ(found, std::lround(m*m));

        double i, j;
        EXPECT_FALSE(scene.valueAt(0, 0, i, j));
        EXPECT_FALSE(scene.valueAt(-5, 1e9, i, j));
        EXPECT_FALSE(scene.valueAt(nan, 10, i, j));
        EXPECT_FALSE
        (
            scene.valueAt(picture.width - 1, picture.height - 1, i, j)
        );
    }

    double i, j;
    EXPECT_FALSE(planeScene().valueAt(10, 10, i, j));
}


TEST(planeScene, keepsTheAspectRatioAndTheLimits)
{
    for (const auto& [nx, ny] : {std::pair(10, 7), {400, 300}, {5000, 3000},
        {3, 4000}, {9000, 2}, {1, 1}})
    {
        planeScene scene;
        const planeLook l = look(0, 1);
        const viewPicture& picture =
            scene.draw(plane(nx, ny, [](int, int) { return 0.5f; }), l);

        EXPECT_LE(picture.width, l.maxWidth);
        EXPECT_LE(picture.height, l.maxHeight);
        EXPECT_EQ(picture.width%2, 0);
        EXPECT_EQ(picture.height%2, 0);
        EXPECT_EQ
        (
            picture.rgb.size(),
            3*std::size_t(picture.width)*picture.height
        );

        double x0, y0, x1, y1;
        scene.pixelAt(-0.5, -0.5, x0, y0);
        scene.pixelAt(nx - 0.5, ny - 0.5, x1, y1);
        const double mx = (x1 - x0)/nx, my = (y0 - y1)/ny;
        if (mx >= 1)
        {
            EXPECT_DOUBLE_EQ(mx, std::round(mx));
            EXPECT_DOUBLE_EQ(mx, my);
        }
        else
        {
            // To a pixel
            const double m = std::min(mx, my);
            EXPECT_NEAR(nx*mx, nx*m, 1);
            EXPECT_NEAR(ny*my, ny*m, 1);
        }
    }
}


TEST(planeScene, solidsHaveTheirColours)
{
    for (const int size : {60, 2400})
    {
        const int s = size/60;
        planeValues p = plane(size, size/2, [](int, int) { return 0.5f; });
        const auto box = [&](int i0, int j0, int i1, int j1, std::uint8_t kind)
        {
            for (int j = j0*s; j < j1*s; ++j)
            {
                for (int i = i0*s; i < i1*s; ++i)
                {
                    p.kind[std::size_t(j)*size + i] = kind;
                    p.value[std::size_t(j)*size + i] = nan;
                }
            }
        };
        // A wall, a body, a drawn obstacle
        box(0, 0, 60, 6, planeValues::outside);
        box(10, 12, 18, 20, planeValues::outside);
        box(30, 12, 38, 20, planeValues::drawn);

        planeScene scene;
        const viewPicture& picture = scene.draw(p, look(0, 1));
        const auto at = [&](double i, double j)
        {
            return colourAt(scene, picture, int(i*s), int(j*s));
        };
        EXPECT_EQ(at(30, 2), planeScene::outsideColour);
        EXPECT_EQ(at(14, 16), planeScene::bodyColour);
        EXPECT_EQ(at(34, 16), planeScene::drawnColour);
        EXPECT_EQ(at(24, 16), lbmView::colourMap("viridis")[128]);

        // Outlines
        int drawn = 0, body = 0;
        for (int y = 0; y < picture.height; ++y)
        {
            for (int x = 0; x < picture.width; ++x)
            {
                drawn += pixel(picture, x, y) == planeScene::drawnOutline;
                body += pixel(picture, x, y) == planeScene::bodyOutline;
            }
        }
        EXPECT_GT(drawn, 4*7*scene.magnification()*s);
        EXPECT_NEAR(drawn, body, 0.02*body);
    }
}


TEST(planeScene, kindsMayChange)
{
    planeValues p = plane(40, 20, [](int, int) { return 0.5f; });
    planeScene scene;
    const planeLook l = look(0, 1);

    scene.draw(p, l);
    p.kind[10*40 + 20] = planeValues::drawn;
    EXPECT_EQ
    (
        colourAt(scene, scene.draw(p, l), 20, 10),
        planeScene::drawnColour
    );
    p.kind[10*40 + 20] = planeValues::fluid;
    const viewPicture erased = scene.draw(p, l);
    EXPECT_EQ
    (
        colourAt(scene, erased, 20, 10),
        lbmView::colourMap("viridis")[128]
    );

    // Nothing is left of what was drawn before
    EXPECT_EQ(erased.rgb, planeScene().draw(p, l).rgb);
    planeLook other = l;
    other.step = 123456;
    other.paused = true;
    other.brush = lbmView::planeBrush{20, 10, 5};
    EXPECT_NE(scene.draw(p, other).rgb, erased.rgb);
    EXPECT_EQ(scene.draw(p, l).rgb, erased.rgb);
}


TEST(planeScene, notFiniteValuesAreMarked)
{
    for (const int size : {40, 2000})
    {
        planeValues p = plane(size, size/2, [](int, int) { return 0.5f; });
        const float inf = std::numeric_limits<float>::infinity();
        const int values[] = {size/4, size/2, 3*size/4};
        const float bad[] = {nan, inf, -inf};
        for (int n = 0; n < 3; ++n)
        {
            p.value[std::size_t(size/4)*size + values[n]] = bad[n];
        }
        planeScene scene;
        const viewPicture& picture = scene.draw(p, look(0, 1));
        for (int n = 0; n < 3; ++n)
        {
            double x, y;
            scene.pixelAt(values[n], size/4, x, y);
            EXPECT_EQ
            (
                pixel(picture, int(std::lround(x)), int(std::lround(y))),
                planeScene::notFiniteColour
            );
        }
    }

    // Nothing else either
    planeScene scene;
    const planeValues p = plane(9, 9, [](int, int) { return nan; });
    for (const auto& [min, max] : {std::pair<double, double>(0, 0), {1, -1},
        {nan, nan}, {0, INFINITY}, {-1e308, 1e308}, {1, 1 + 1e-16}})
    {
        EXPECT_NO_THROW(scene.draw(p, look(min, max)));
    }
}


TEST(planeScene, saysWhatItShows)
{
    planeScene scene;
    const planeValues p = plane(300, 200, [](int, int) { return 0.5f; });
    planeLook l = look(0, 1);
    const viewPicture with = scene.draw(p, l);

    double x0, y0, x1, y1;
    scene.pixelAt(-0.5, -0.5, x0, y0);
    scene.pixelAt(299.5, 199.5, x1, y1);
    const int right = int(x1) + 2, bottom = int(y0) + 2;

    // Title, legend with its numbers, axes, text
    EXPECT_GT(inked(with, 0, 0, with.width, int(y1) - 2), 100);
    EXPECT_GT(inked(with, right, int(y1), with.width, bottom), 1000);
    EXPECT_GT(inked(with, with.width - 60, int(y1), with.width, bottom), 50);
    EXPECT_GT(inked(with, 0, bottom, with.width, bottom + 25), 100);
    EXPECT_GT(inked(with, 0, with.height - 25, with.width/2, with.height), 100);

    // The text follows
    const auto differ = [&](const viewPicture& other)
    {
        int n = 0;
        for (std::size_t k = 0; k < with.rgb.size(); ++k)
        {
            n += with.rgb.size() != other.rgb.size() || with.rgb[k] != other.rgb[k];
        }
        return n;
    };
    EXPECT_EQ(differ(scene.draw(p, l)), 0);
    l.step = 7;
    EXPECT_GT(differ(scene.draw(p, l)), 10);
    l.step = 0;
    l.max = 2;
    EXPECT_GT(differ(scene.draw(p, l)), 100);
}


TEST(planeScene, ticksAreRound)
{
    using lbmView::ticks;
    EXPECT_EQ(ticks(0, 1, 4), (std::vector<double>{0, 0.5, 1}));
    EXPECT_EQ(ticks(-10, 10, 4), (std::vector<double>{-10, -5, 0, 5, 10}));
    EXPECT_EQ(ticks(-0.3, 0.9, 5), (std::vector<double>{0, 0.5}));
    EXPECT_TRUE(lbmView::ticks(1, 1, 5).empty());
    EXPECT_TRUE(lbmView::ticks(0, INFINITY, 5).empty());
    EXPECT_TRUE(lbmView::ticks(1, 1 + 1e-15, 5).size() < 20);
    EXPECT_EQ(lbmView::tickLabel(0.25, 0.05), "0.25");
    EXPECT_EQ(lbmView::tickLabel(20, 10), "20");
    EXPECT_EQ(lbmView::tickLabel(1.5e-7, 5e-8), "1.5e-07");
}


TEST(planeScene, rangeLeavesOutTheExtremes)
{
    planeValues p = plane(100, 100, [](int i, int j) { return (100*j + i)/1e4f; });
    p.value[5] = 1000;
    p.value[6] = nan;
    p.value[7] = -50;
    p.kind[7] = planeValues::drawn;

    const lbmView::valueRange most(p, false, 0.002);
    EXPECT_LT(most.max, 5);
    EXPECT_NEAR(most.min, 0, 1e-3);

    const lbmView::valueRange all(p, true, 0);
    EXPECT_EQ(all.max, 1000);
    EXPECT_EQ(all.min, -1000);

    p.kind.assign(p.kind.size(), planeValues::outside);
    EXPECT_EQ(lbmView::valueRange(p).max, 1);
}


TEST(planeScene, wrongSizesAreErrors)
{
    planeScene scene;
    planeValues p = plane(10, 10, [](int, int) { return 0.5f; });

    planeLook unknown = look(0, 1);
    unknown.colours = "nothing";
    EXPECT_THROW(scene.draw(p, unknown), lbmView::viewError);

    p.kind.clear();
    EXPECT_NO_THROW(scene.draw(p, look(0, 1)));
    p.kind.resize(3);
    EXPECT_THROW(scene.draw(p, look(0, 1)), lbmView::viewError);
    p.kind.clear();
    p.value.pop_back();
    EXPECT_THROW(scene.draw(p, look(0, 1)), lbmView::viewError);
    EXPECT_THROW(scene.draw(planeValues(), look(0, 1)), lbmView::viewError);
}


TEST(planeScene, threadsDrawTheSame)
{
    const planeValues p = plane(200, 100, [](int i, int j) { return i + j; });
    std::vector<viewPicture> pictures(4);
    std::vector<std::thread> threads;
    for (viewPicture& picture : pictures)
    {
        threads.emplace_back
        (
            [&]()
            {
                planeScene scene;
                planeLook l = look(0, 300);
                for (l.step = 0; l.step < 20; ++l.step)
                {
                    picture = scene.draw(p, l);
                }
            }
        );
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    for (const viewPicture& picture : pictures)
    {
        EXPECT_EQ(picture.rgb, pictures.front().rgb);
    }
}

} // End namespace lbmTest
