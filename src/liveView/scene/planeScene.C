#include "planeScene.H"
#include "viewDisplay.H"

#include <vtkColorTransferFunction.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

// Its only one
#include <vtkAutoInit.h>
VTK_MODULE_INIT(vtkRenderingFreeType);

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace lbmView
{

namespace
{

//- Room for the legend to the right and for each line of text below [pixels]
constexpr int legendWidth = 128;
constexpr int lineHeight = 22;

//- The plane is not smaller than that, for its legend [pixels]
constexpr int leastWidth = 420;
constexpr int leastHeight = 220;

constexpr int largestScale = 16;

constexpr std::uint8_t paper[3] = {255, 255, 255};


void setPixel(viewPicture& p, int x, int y, const std::uint8_t (&colour)[3])
{
    if (x >= 0 && x < p.width && y >= 0 && y < p.height)
    {
        std::copy_n(colour, 3, &p.rgb[3*(std::size_t(y)*p.width + x)]);
    }
}


//- Number with few digits
std::string number(double x)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g", x);
    return text;
}

} // End anonymous namespace


//- Text as an image of its ink, kept while it is in use
struct planeScene::texts
{
    struct image
    {
        int width = 0;
        int height = 0;
        std::vector<std::uint8_t> ink;
        bool used = true;
    };

    std::map<std::pair<std::string, bool>, image> images;

    const image& of(const std::string& text, bool bold)
    {
        image& result = images[{text, bold}];
        result.used = true;
        if (!result.ink.empty() || text.empty())
        {
            return result;
        }

        vtkNew<vtkTextProperty> property;
        property->SetFontFamilyToArial();
        property->SetFontSize(14);
        property->SetBold(bold);
        property->SetColor(0, 0, 0);
        vtkNew<vtkImageData> data;
        int size[2];
        if
        (
            !vtkTextRenderer::GetInstance()->RenderString
            (
                property, vtkStdString(text), data, size, 72
            )
        )
        {
            return result;
        }
        int n[3];
        data->GetDimensions(n);
        result.width = std::min(size[0], n[0]);
        result.height = std::min(size[1], n[1]);
        for (int y = 0; y < result.height; ++y)
        {
            for (int x = 0; x < result.width; ++x)
            {
                const auto* const rgba = static_cast<const std::uint8_t*>
                (
                    data->GetScalarPointer(x, result.height - 1 - y, 0)
                );
                result.ink.push_back(rgba[3]);
            }
        }
        return result;
    }

    //- Forget what the latest picture had no use for
    void forget()
    {
        for (auto i = images.begin(); i != images.end();)
        {
            i = i->second.used ? std::next(i) : images.erase(i);
        }
        for (auto& i : images)
        {
            i.second.used = false;
        }
    }

    //- Write it with its left end at x, in the middle of y
    void write
    (
        viewPicture& p,
        int x,
        int y,
        const std::string& text,
        bool bold = false,
        int grey = 40
    )
    {
        const image& t = of(text, bold);
        for (int r = 0; r < t.height; ++r)
        {
            for (int c = 0; c < t.width; ++c)
            {
                const int px = x + c, py = y - t.height/2 + r;
                const int a = t.ink[std::size_t(r)*t.width + c];
                if (a == 0 || px < 0 || px >= p.width || py < 0 || py >= p.height)
                {
                    continue;
                }
                std::uint8_t* const to =
                    &p.rgb[3*(std::size_t(py)*p.width + px)];
                for (int k = 0; k < 3; ++k)
                {
                    to[k] = (to[k]*(255 - a) + grey*a)/255;
                }
            }
        }
    }
};


planeScene::planeScene()
:
    texts_(std::make_unique<texts>())
{}


planeScene::~planeScene() = default;


const std::array<std::uint8_t, 768>& planeScene::colourTable
(
    const std::string& name
)
{
    const auto table = [](vtkColorTransferFunction& f)
    {
        std::array<std::uint8_t, 768> result;
        for (int i = 0; i < 256; ++i)
        {
            double rgb[3];
            f.GetColor(i/255.0, rgb);
            for (int k = 0; k < 3; ++k)
            {
                result[3*i + k] = std::uint8_t(std::lround(255*rgb[k]));
            }
        }
        return result;
    };

    // K. Moreland, Diverging color maps for scientific visualization (2009)
    static const auto coolToWarm = [&]
    {
        vtkNew<vtkColorTransferFunction> f;
        f->SetColorSpaceToDiverging();
        f->AddRGBPoint(0, 0.230, 0.299, 0.754);
        f->AddRGBPoint(1, 0.706, 0.016, 0.150);
        return table(*f);
    }();

    // The map viridis of matplotlib, by nine of its colours
    static const auto viridis = [&]
    {
        constexpr double colours[9][3] =
        {
            {0.267, 0.005, 0.329},
            {0.283, 0.141, 0.458},
            {0.254, 0.265, 0.530},
            {0.207, 0.372, 0.553},
            {0.164, 0.471, 0.558},
            {0.128, 0.567, 0.551},
            {0.267, 0.749, 0.441},
            {0.478, 0.821, 0.318},
            {0.993, 0.906, 0.144}
        };
        constexpr double at[9] =
            {0, 0.125, 0.25, 0.375, 0.5, 0.6, 0.75, 0.82, 1};
        vtkNew<vtkColorTransferFunction> f;
        f->SetColorSpaceToLab();
        for (int i = 0; i < 9; ++i)
        {
            f->AddRGBPoint(at[i], colours[i][0], colours[i][1], colours[i][2]);
        }
        return table(*f);
    }();

    if (name == "viridis")
    {
        return viridis;
    }
    if (name == "coolToWarm")
    {
        return coolToWarm;
    }
    throw viewError("there is no colour map '" + name + "'");
}


void planeScene::drawLegend(viewPicture& picture, const planeLook& look)
{
    const auto& table = colourTable(look.colours);
    const int left = width_ + 12, top = 34, barWidth = 22;
    const int bar = std::max(60, std::min(height_ - 50, 420));

    texts_->write(picture, left, 16, look.title, true);
    for (int y = 0; y < bar; ++y)
    {
        const int k = 255 - (255*y)/std::max(1, bar - 1);
        const std::uint8_t colour[3] =
            {table[3*k], table[3*k + 1], table[3*k + 2]};
        for (int x = 0; x < barWidth; ++x)
        {
            setPixel(picture, left + x, top + y, colour);
        }
    }
    for (int i = 0; i <= 4; ++i)
    {
        const int y = top + (bar - 1)*i/4;
        constexpr std::uint8_t tick[3] = {40, 40, 40};
        for (int x = 0; x < 5; ++x)
        {
            setPixel(picture, left + barWidth + x, y, tick);
        }
        texts_->write
        (
            picture,
            left + barWidth + 9,
            y,
            number(look.max - (look.max - look.min)*i/4)
        );
    }
}


viewPicture planeScene::draw(const planeValues& v, const planeLook& look)
{
    const std::size_t n = std::size_t(std::max(0, v.nx))*std::max(0, v.ny);
    if (n == 0 || v.value.size() != n || v.kind.size() != n)
    {
        throw viewError
        (
            "a plane of " + std::to_string(v.nx) + " x "
          + std::to_string(v.ny) + " values was given "
          + std::to_string(v.value.size())
        );
    }

    // A whole number of pixels for each value, or of values for each pixel
    nx_ = v.nx;
    ny_ = v.ny;
    const int skip = std::max
    ({
        1,
        (nx_ + look.maxWidth - 1)/look.maxWidth,
        (ny_ + look.maxHeight - 1)/look.maxHeight
    });
    int scale = 1;
    while
    (
        skip == 1
     && scale < largestScale
     && (nx_*scale < 2*leastWidth || ny_*scale < leastHeight)
     && nx_*(scale + 1) <= look.maxWidth
     && ny_*(scale + 1) <= look.maxHeight
    )
    {
        ++scale;
    }
    width_ = skip > 1 ? (nx_ + skip - 1)/skip : nx_*scale;
    height_ = skip > 1 ? (ny_ + skip - 1)/skip : ny_*scale;

    viewPicture picture;
    const int nLines = look.help.empty() ? 1 : 2;
    picture.width = std::max(width_, leastWidth) + legendWidth;
    picture.height = std::max(height_, leastHeight) + nLines*lineHeight;
    picture.rgb.assign(3*std::size_t(picture.width)*picture.height, 255);

    const auto& table = colourTable(look.colours);
    const float low = look.min;
    const float perValue = look.max > look.min ? 255/(look.max - look.min) : 0;

    std::vector<std::uint8_t> row(3*std::size_t(width_));
    for (int y = 0; y < height_; y += scale)
    {
        const int j = ny_ - 1 - (y/scale)*skip;
        const int jValue = std::max(0, j);
        const float* const value = &v.value[std::size_t(jValue)*nx_];
        const std::uint8_t* const kind = &v.kind[std::size_t(jValue)*nx_];
        std::uint8_t* to = row.data();
        for (int i = 0; i < nx_; i += skip)
        {
            const std::uint8_t* colour = body;
            if (kind[i] == 1)
            {
                const float x = (value[i] - low)*perValue;
                colour =
                    x >= 0 ? &table[3*(x < 255 ? int(x + 0.5f) : 255)]
                  : x < 0 ? &table[0]
                  : notANumber;
            }
            else if (kind[i] == 2)
            {
                const auto other = [&](int a, int b)
                {
                    return
                        a >= 0 && a < nx_ && b >= 0 && b < ny_
                     && v.kind[std::size_t(b)*nx_ + a] != 2;
                };
                colour =
                    other(i - 1, jValue) || other(i + 1, jValue)
                 || other(i, jValue - 1) || other(i, jValue + 1)
                  ? outline : drawn;
            }
            for (int s = 0; s < scale; ++s)
            {
                *to++ = colour[0];
                *to++ = colour[1];
                *to++ = colour[2];
            }
        }
        for (int s = 0; s < scale; ++s)
        {
            std::copy
            (
                row.begin(),
                row.end(),
                picture.rgb.begin() + 3*std::size_t(y + s)*picture.width
            );
        }
    }

    if (look.brush)
    {
        const double perPixel = double(skip)/scale;
        const double r = std::max(1.0, look.brushRadius/perPixel);
        const double x = (look.brushX + 0.5)/perPixel;
        const double y = height_ - (look.brushY + 0.5)/perPixel;
        const int nPoints = std::min(4000, 16 + int(8*r));
        constexpr std::uint8_t dark[3] = {0, 0, 0}, light[3] = {255, 255, 255};
        for (int k = 0; k < nPoints; ++k)
        {
            const double a = 2*M_PI*k/nPoints;
            const int px = std::floor(x + r*std::cos(a));
            const int py = std::floor(y + r*std::sin(a));
            if (px >= 0 && px < width_ && py >= 0 && py < height_)
            {
                setPixel(picture, px, py, k/8 % 2 ? dark : light);
            }
        }
    }

    drawLegend(picture, look);

    char text[160];
    std::snprintf
    (
        text,
        sizeof(text),
        "t = %.6g s    step %lld    %.4g MLUPS%s",
        look.time,
        static_cast<long long>(look.step),
        look.mlups,
        look.paused ? "    paused" : ""
    );
    const int bottom = picture.height - nLines*lineHeight;
    texts_->write(picture, 8, bottom + lineHeight/2, text);
    if (nLines > 1)
    {
        texts_->write
        (
            picture, 8, bottom + lineHeight + lineHeight/2, look.help, false, 120
        );
    }
    texts_->forget();

    return picture;
}


bool planeScene::valueAt(double x, double y, double& i, double& j) const
{
    if (!(x >= 0 && x < width_ && y >= 0 && y < height_))
    {
        return false;
    }
    const int skip = std::max(1, (nx_ + width_ - 1)/width_);
    const double perPixel = width_ >= nx_ ? double(nx_)/width_ : skip;
    i = x*perPixel - 0.5;
    j = ny_ - y*perPixel - 0.5;
    return true;
}

} // End namespace lbmView
