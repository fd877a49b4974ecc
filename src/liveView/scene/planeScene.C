#include "planeScene.H"
#include "viewDisplay.H"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

namespace lbmView
{

namespace
{

// What a pixel shows. The first three as in planeValues
enum : std::uint8_t
{
    isOutside = 0,
    isFluid = 1,
    isDrawn = 2,
    isBody = 3,
    isNotFinite = 4
};

constexpr colour line = {120, 120, 120};
constexpr float nan = std::numeric_limits<float>::quiet_NaN();


void put(std::uint8_t* pixel, const colour& with)
{
    std::copy(with.begin(), with.end(), pixel);
}


bool finite(float value)
{
    // False for NaN too
    return std::abs(value) <= FLT_MAX;
}


// Colours as whole words: the fourth byte is overwritten by the next pixel
struct wordTable
{
    std::uint32_t word[256];

    explicit wordTable(const colourTable& table)
    {
        for (int i = 0; i < 256; ++i)
        {
            word[i] = 0;
            std::memcpy(&word[i], table[i].data(), 3);
        }
    }

    void row
    (
        std::uint8_t* out,
        const float* values,
        int n,
        const colourRange& range
    ) const
    {
        for (int i = 0; i < n - 1; ++i, out += 3)
        {
            std::memcpy(out, &word[range(values[i])], 4);
        }
        if (n > 0)
        {
            std::memcpy(out, &word[range(values[n - 1])], 3);
        }
    }
};


// Between which values the pixels along an axis lie
struct magnified
{
    std::vector<int> own, other;
    std::vector<float> weight;

    magnified(int values, int pixels, bool smooth)
    :
        own(pixels),
        other(pixels),
        weight(pixels)
    {
        for (int p = 0; p < pixels; ++p)
        {
            own[p] = int(std::int64_t(p)*values/pixels);
            const double at = (p + 0.5)*values/pixels - 0.5 - own[p];
            other[p] = std::clamp(own[p] + (at < 0 ? -1 : 1), 0, values - 1);
            weight[p] = smooth && other[p] != own[p] ? float(std::abs(at)) : 0;
            if (weight[p] < 1e-6f)
            {
                weight[p] = 0;
            }
        }
    }
};


// First value of each pixel along an axis, and one more
std::vector<int> reduced(int values, int pixels)
{
    std::vector<int> first(pixels + 1);
    for (int p = 0; p <= pixels; ++p)
    {
        first[p] = int(std::int64_t(p)*values/pixels);
    }
    return first;
}

} // End unnamed namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void planeScene::classify(const planeValues& plane)
{
    const std::size_t n = std::size_t(nx_)*ny_;

    if (kind_ == plane.kind && shown_.size() == n)
    {
        return;
    }
    kind_ = plane.kind;
    mixed_.assign(ny_, 0);

    if (kind_.empty())
    {
        shown_.assign(n, isFluid);
        return;
    }

    shown_ = kind_;
    std::vector<std::size_t> open;
    const auto reach = [&](std::size_t at)
    {
        if (shown_[at] == isBody)
        {
            shown_[at] = isOutside;
            open.push_back(at);
        }
    };

    for (int j = 0; j < ny_; ++j)
    {
        for (int i = 0; i < nx_; ++i)
        {
            std::uint8_t& kind = shown_[std::size_t(j)*nx_ + i];
            if (kind != isFluid)
            {
                mixed_[j] = 1;
                if (kind != isDrawn)
                {
                    kind = isBody;
                }
            }
        }
    }

    // The outside is what can be reached from the edges of the plane
    for (int i = 0; i < nx_; ++i)
    {
        reach(i);
        reach(n - 1 - i);
    }
    for (int j = 0; j < ny_; ++j)
    {
        reach(std::size_t(j)*nx_);
        reach(std::size_t(j)*nx_ + nx_ - 1);
    }
    while (!open.empty())
    {
        const std::size_t at = open.back();
        open.pop_back();
        const std::size_t i = at%nx_, j = at/nx_;
        if (i > 0) reach(at - 1);
        if (i + 1 < std::size_t(nx_)) reach(at + 1);
        if (j > 0) reach(at - nx_);
        if (j + 1 < std::size_t(ny_)) reach(at + nx_);
    }
}


void planeScene::drawBase(const planeValues& plane, const planeLook& look)
{
    const pictureFrame frame(look, true);

    // Picture and plane
    const double room =
        std::min(double(frame.maxWidth)/nx_, double(frame.maxHeight)/ny_);
    const double scale = room >= 1 ? std::floor(room) : room;
    width_ = std::max(1, int(std::lround(nx_*scale)));
    height_ = std::max(1, int(std::lround(ny_*scale)));

    const int width = std::max(width_, frame.minWidth);
    const int height = std::max(height_, frame.minHeight);
    left_ = frame.left + (width - width_)/2;
    top_ = frame.top + (height - height_)/2;

    picture_ = blankPicture
    (
        width + frame.left + frame.right,
        height + frame.top + frame.bottom
    );

    // Title and legend; a tall legend beside a tall plane reads no better
    const int bar = std::max(frame.minHeight, std::min(height_, 24*frame.text));
    frame.title(picture_, look, frame.left);
    frame.legend
    (
        picture_,
        look,
        left_ + width_ + int(1.6*frame.text),
        frame.top + (height - bar)/2,
        bar
    );
    frame.help(picture_, look);

    // Axes
    fill(picture_, left_ - 1, top_ - 1, width_ + 2, height_ + 2, line);

    const int text = frame.text;
    const textStyle style = frame.style(0.9);
    const int right = left_ + width_, bottom = top_ + height_;
    const double perPixel[2] =
    {
        plane.spacing*nx_/width_,
        plane.spacing*ny_/height_
    };
    const double from[2] =
    {
        plane.origin[0] - 0.5*plane.spacing,
        plane.origin[1] - 0.5*plane.spacing
    };

    std::vector<double> at = ticks
    (
        from[0],
        from[0] + plane.spacing*nx_,
        std::max(1, width_/(6*text))
    );
    for (const double x : at)
    {
        const double pixel = left_ + (x - from[0])/perPixel[0];
        fill(picture_, std::min(int(pixel), right), bottom, 1, text/3, line);
        drawText
        (
            picture_,
            tickLabel(x, at.size() > 1 ? at[1] - at[0] : 0),
            pixel,
            bottom + 1.4*text,
            style,
            0.5
        );
    }
    drawText
    (
        picture_,
        plane.axis[0] + " [m]",
        left_ + 0.5*width_,
        bottom + 2.7*text,
        style,
        0.5
    );

    at = ticks
    (
        from[1],
        from[1] + plane.spacing*ny_,
        std::max(1, height_/(3*text))
    );
    for (const double y : at)
    {
        const double pixel = bottom - (y - from[1])/perPixel[1];
        fill
        (
            picture_,
            left_ - text/3,
            std::clamp(int(pixel), top_ - 1, bottom),
            text/3,
            1,
            line
        );
        drawText
        (
            picture_,
            tickLabel(y, at.size() > 1 ? at[1] - at[0] : 0),
            left_ - 0.6*text,
            pixel + 0.33*text,
            style,
            1
        );
    }
    drawUpwards
    (
        picture_,
        plane.axis[1] + " [m]",
        left_ - 3.9*text,
        top_ + 0.5*height_,
        style,
        0.5
    );
}


void planeScene::drawMagnified(const planeValues& plane, const planeLook& look)
{
    const magnified across(nx_, width_, look.smooth);
    const magnified up(ny_, height_, look.smooth);
    const colourRange range(look.min, look.max);
    const wordTable words(colourMap(look.colours));
    const bool whole = width_ == nx_;

    // Fluid values of two rows, NaN elsewhere, and between them
    std::vector<float> own(nx_), other(nx_), between(nx_), pixel(width_);
    int ownRow = -1, otherRow = -1;
    bool bad = false;

    const auto read = [&](int j, std::vector<float>& into)
    {
        const float* value = &plane.value[std::size_t(j)*nx_];
        const std::uint8_t* kind = &shown_[std::size_t(j)*nx_];
        int count = 0;
        for (int i = 0; i < nx_; ++i)
        {
            const bool good = kind[i] == isFluid && finite(value[i]);
            into[i] = good ? value[i] : nan;
            count += good;
        }
        return count;
    };

    for (int y = 0; y < height_; ++y)
    {
        // Rows of values go up, those of pixels down
        const int p = height_ - 1 - y;
        const int j = up.own[p];
        const float w = up.weight[p];

        if (j != ownRow)
        {
            ownRow = j;
            bad = read(j, own) < nx_;
        }

        const float* values = own.data();
        if (w > 0)
        {
            if (up.other[p] != otherRow)
            {
                otherRow = up.other[p];
                read(otherRow, other);
            }
            for (int i = 0; i < nx_; ++i)
            {
                const float d = other[i] - own[i];
                between[i] = d == d ? own[i] + w*d : own[i];
            }
            values = between.data();
        }

        if (!whole)
        {
            for (int x = 0; x < width_; ++x)
            {
                const float a = values[across.own[x]];
                const float d = values[across.other[x]] - a;
                pixel[x] = d == d ? a + across.weight[x]*d : a;
            }
            values = pixel.data();
        }
        words.row(row(y), values, width_, range);

        // What is not fluid
        std::uint8_t* shows = &pixels_[std::size_t(y)*width_];
        if (!bad)
        {
            std::fill_n(shows, width_, std::uint8_t(isFluid));
            continue;
        }
        const std::uint8_t* kind = &shown_[std::size_t(j)*nx_];
        for (int x = 0; x < width_; ++x)
        {
            const int i = across.own[x];
            const bool notFinite = kind[i] == isFluid && own[i] != own[i];
            shows[x] = notFinite ? std::uint8_t(isNotFinite) : kind[i];
        }
        drawSolids(y);
    }
}


void planeScene::drawReduced(const planeValues& plane, const planeLook& look)
{
    const std::vector<int> across = reduced(nx_, width_);
    const std::vector<int> up = reduced(ny_, height_);
    const colourRange range(look.min, look.max);
    const wordTable words(colourMap(look.colours));

    // Sums over the rows of a pixel
    std::vector<float> sum(nx_), pixel(width_);
    std::vector<int> fluids(nx_), drawn(nx_), bodies(nx_);

    for (int y = 0; y < height_; ++y)
    {
        const int p = height_ - 1 - y;
        const int rows = up[p + 1] - up[p];

        std::fill(sum.begin(), sum.end(), 0.0f);
        bool mixed = false;
        for (int j = up[p]; j < up[p + 1]; ++j)
        {
            mixed = mixed || mixed_[j];
        }

        if (mixed)
        {
            std::fill(fluids.begin(), fluids.end(), 0);
            std::fill(drawn.begin(), drawn.end(), 0);
            std::fill(bodies.begin(), bodies.end(), 0);
        }
        for (int j = up[p]; j < up[p + 1]; ++j)
        {
            const float* value = &plane.value[std::size_t(j)*nx_];
            const std::uint8_t* kind = &shown_[std::size_t(j)*nx_];
            if (!mixed)
            {
                for (int i = 0; i < nx_; ++i)
                {
                    sum[i] += value[i];
                }
                continue;
            }
            for (int i = 0; i < nx_; ++i)
            {
                sum[i] += kind[i] == isFluid ? value[i] : 0.0f;
                fluids[i] += kind[i] == isFluid;
                drawn[i] += kind[i] == isDrawn;
                bodies[i] += kind[i] == isBody;
            }
        }

        std::uint8_t* shows = &pixels_[std::size_t(y)*width_];
        bool bad = false;
        for (int x = 0; x < width_; ++x)
        {
            const int i0 = across[x], i1 = across[x + 1];
            const int all = (i1 - i0)*rows;
            float total = 0;
            int fluid = all, draw = 0, body = 0;

            for (int i = i0; i < i1; ++i)
            {
                total += sum[i];
            }
            if (mixed)
            {
                fluid = 0;
                for (int i = i0; i < i1; ++i)
                {
                    fluid += fluids[i];
                    draw += drawn[i];
                    body += bodies[i];
                }
            }

            // Thin walls are not to vanish
            pixel[x] = fluid ? total/fluid : 0;
            shows[x] = isFluid;
            if (4*(draw + body) >= all)
            {
                shows[x] = draw >= body ? isDrawn : isBody;
            }
            else if (2*fluid < all)
            {
                shows[x] = isOutside;
            }
            else if (!finite(total))
            {
                shows[x] = isNotFinite;
            }
            bad = bad || shows[x] != isFluid;
        }

        words.row(row(y), pixel.data(), width_, range);
        if (bad)
        {
            drawSolids(y);
        }
    }
}


void planeScene::drawSolids(int y)
{
    const std::uint8_t* shows = &pixels_[std::size_t(y)*width_];
    std::uint8_t* out = row(y);

    for (int x = 0; x < width_; ++x, out += 3)
    {
        switch (shows[x])
        {
            case isOutside: put(out, outsideColour); break;
            case isDrawn: put(out, drawnColour); break;
            case isBody: put(out, bodyColour); break;
            case isNotFinite: put(out, notFiniteColour); break;
        }
    }
}


void planeScene::drawOutlines(int thickness)
{
    // Something else is beside a pixel of a solid, so far away
    const auto differs = [&](int x, int y, std::uint8_t kind)
    {
        return
            x >= 0 && x < width_ && y >= 0 && y < height_
         && pixels_[std::size_t(y)*width_ + x] != kind;
    };

    for (int y = 0; y < height_; ++y)
    {
        const std::uint8_t* shows = &pixels_[std::size_t(y)*width_];
        std::uint8_t* out = row(y);

        for (int x = 0; x < width_; ++x)
        {
            const std::uint8_t kind = shows[x];
            if (kind == isFluid || kind == isNotFinite)
            {
                continue;
            }
            const colour& outline =
                kind == isDrawn ? drawnOutline
              : kind == isBody ? bodyOutline : line;

            for (int d = 1; d <= thickness; ++d)
            {
                if
                (
                    differs(x - d, y, kind) || differs(x + d, y, kind)
                 || differs(x, y - d, kind) || differs(x, y + d, kind)
                )
                {
                    put(out + 3*x, outline);
                    break;
                }
            }
        }
    }
}


void planeScene::drawBrush(const planeBrush& brush)
{
    double cx, cy;
    pixelAt(brush.i, brush.j, cx, cy);
    const double radius = std::max(brush.radius*magnification(), 2.0);

    if (!std::isfinite(cx + cy + radius))
    {
        return;
    }

    // A white ring around a dark one is seen on any colour
    const double reach = radius + 3;
    const int x0 = int(std::clamp<double>(cx - reach - left_, 0, width_));
    const int x1 = int(std::clamp<double>(cx + reach - left_ + 1, 0, width_));
    const int y0 = int(std::clamp<double>(cy - reach - top_, 0, height_));
    const int y1 = int(std::clamp<double>(cy + reach - top_ + 1, 0, height_));

    for (int y = y0; y < y1; ++y)
    {
        std::uint8_t* out = row(y);
        for (int x = x0; x < x1; ++x)
        {
            const double d =
                std::hypot(left_ + x - cx, top_ + y - cy) - radius;
            const double dark = std::clamp(1.25 - std::abs(d), 0.0, 1.0);
            const double bright = std::clamp(1.25 - std::abs(d - 1.5), 0.0, 1.0);
            for (int c = 0; c < 3; ++c)
            {
                double v = out[3*x + c];
                v += bright*(255 - v);
                v += dark*(20 - v);
                out[3*x + c] = std::uint8_t(v);
            }
        }
    }
}


// * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * * //

const viewPicture& planeScene::draw
(
    const planeValues& plane,
    const planeLook& look
)
{
    const std::size_t n = std::size_t(std::max(plane.nx, 0))*std::max(plane.ny, 0);
    if
    (
        n == 0
     || plane.value.size() != n
     || (!plane.kind.empty() && plane.kind.size() != n)
    )
    {
        std::ostringstream text;
        text<< "A plane of " << plane.nx << " x " << plane.ny << " has "
            << plane.value.size() << " values and " << plane.kind.size()
            << " kinds";
        throw viewError(text.str());
    }
    colourMap(look.colours);

    std::ostringstream base;
    base.precision(17);
    base<< plane.nx << ' ' << plane.ny << ' ' << plane.spacing << ' '
        << plane.origin[0] << ' ' << plane.origin[1] << ' '
        << look.min << ' ' << look.max << ' ' << look.maxWidth << ' '
        << look.maxHeight << '\n' << plane.axis[0] << '\n' << plane.axis[1]
        << '\n' << look.title << '\n' << look.colours << '\n' << look.help;

    const bool anew = base.str() != base_;
    if (anew)
    {
        base_.clear();
        if (plane.nx != nx_ || plane.ny != ny_)
        {
            nx_ = plane.nx;
            ny_ = plane.ny;
            shown_.clear();
        }
        drawBase(plane, look);
        base_ = base.str();
    }
    classify(plane);

    pixels_.resize(std::size_t(width_)*height_);
    if (width_ >= nx_ && height_ >= ny_)
    {
        drawMagnified(plane, look);
    }
    else
    {
        drawReduced(plane, look);
    }

    if (std::find(mixed_.begin(), mixed_.end(), 1) != mixed_.end())
    {
        drawOutlines(magnification() >= 3 || height_ > 1200 ? 2 : 1);
    }
    if (look.brush)
    {
        drawBrush(*look.brush);
    }
    pictureFrame(look, true).status(picture_, look);

    return picture_;
}


bool planeScene::valueAt
(
    double pixelX,
    double pixelY,
    double& i,
    double& j
) const
{
    const double x = pixelX + 0.5 - left_;
    const double y = pixelY + 0.5 - top_;

    if (!(x >= 0 && x < width_ && y >= 0 && y < height_))
    {
        return false;
    }
    i = x*nx_/width_ - 0.5;
    j = (height_ - y)*ny_/height_ - 0.5;
    return true;
}


void planeScene::pixelAt
(
    double i,
    double j,
    double& pixelX,
    double& pixelY
) const
{
    pixelX = left_ - 0.5 + (i + 0.5)*width_/std::max(nx_, 1);
    pixelY = top_ - 0.5 + height_ - (j + 0.5)*height_/std::max(ny_, 1);
}


valueRange::valueRange
(
    const planeValues& plane,
    bool symmetric,
    double share
)
{
    const bool all = plane.kind.empty();
    float low = FLT_MAX, high = -FLT_MAX;
    std::size_t count = 0;

    const auto each = [&](auto&& f)
    {
        for (std::size_t n = 0; n < plane.value.size(); ++n)
        {
            const float v = plane.value[n];
            if ((all || plane.kind[n] == planeValues::fluid) && finite(v))
            {
                f(v);
            }
        }
    };
    each
    (
        [&](float v)
        {
            low = std::min(low, v);
            high = std::max(high, v);
            ++count;
        }
    );
    if (count == 0)
    {
        return;
    }
    min = low;
    max = high;

    if (low < high && share > 0)
    {
        constexpr int bins = 1024;
        std::vector<std::size_t> bin(bins, 0);
        const double scale = bins/(double(high) - low);
        each
        (
            [&](float v)
            {
                ++bin[std::min(int((double(v) - low)*scale), bins - 1)];
            }
        );

        const double skip = share*count;
        double seen = 0;
        int first = 0, last = bins - 1;
        while (first < last && (seen += bin[first]) <= skip)
        {
            ++first;
        }
        seen = 0;
        while (last > first && (seen += bin[last]) <= skip)
        {
            --last;
        }
        min = low + first/scale;
        max = low + (last + 1)/scale;
    }
    if (symmetric)
    {
        max = std::max(std::abs(min), std::abs(max));
        min = -max;
    }
}

} // End namespace lbmView
