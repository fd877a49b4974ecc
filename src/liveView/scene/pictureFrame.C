#include "pictureFrame.H"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lbmView
{

namespace
{

constexpr colour white = {255, 255, 255};
constexpr colour line = {120, 120, 120};
constexpr colour faint = {125, 125, 125};
constexpr colour alert = {200, 80, 0};


std::string format(const char* how, double value)
{
    char text[64];
    std::snprintf(text, sizeof(text), how, value);
    return text;
}


std::string grouped(long n)
{
    std::string text = std::to_string(std::labs(n));
    for (int at = int(text.size()) - 3; at > 0; at -= 3)
    {
        text.insert(at, " ");
    }
    return (n < 0 ? "-" : "") + text;
}


// Base line of a text that is centred at y
double centred(double y, int size)
{
    return y + 0.36*size;
}

} // End unnamed namespace


pictureFrame::pictureFrame(const pictureLook& look, bool axes)
{
    const int width = std::max(look.maxWidth, 320);
    const int height = std::max(look.maxHeight, 240);

    text = std::clamp(std::min(width/60, height/45), 11, 28);

    left = int((axes ? 5.2 : 1.2)*text);
    right = int(8.2*text);
    top = int(2.6*text);
    bottom = int((axes ? 3.0 : 0.6)*text + (look.help.empty() ? 2.2 : 3.9)*text);

    // An odd size gains a pixel
    maxWidth = width - width%2 - left - right;
    maxHeight = height - height%2 - top - bottom;
    minWidth = std::min(maxWidth, 22*text);
    minHeight = std::min(maxHeight, 7*text);
}


textStyle pictureFrame::style(double size, bool bold) const
{
    textStyle result;
    result.size = int(std::lround(size*text));
    result.bold = bold;
    return result;
}


int pictureFrame::margin(const viewPicture& picture) const
{
    return picture.width > 45*text ? left : int(1.2*text);
}


void pictureFrame::title
(
    viewPicture& picture,
    const pictureLook& look,
    int x
) const
{
    drawText(picture, look.title, x, top - 0.8*text, style(1.15, true));
}


void pictureFrame::legend
(
    viewPicture& picture,
    const pictureLook& look,
    int x,
    int y,
    int height
) const
{
    const int width = int(1.3*text);
    const colourTable& table = colourMap(look.colours);

    fill(picture, x - 1, y - 1, width + 2, height + 2, line);
    for (int j = 0; j < height; ++j)
    {
        const int entry = int(256*(height - 1 - j + 0.5)/height);
        fill(picture, x, y + j, width, 1, table[std::clamp(entry, 0, 255)]);
    }

    const std::vector<double> at =
        ticks(look.min, look.max, std::clamp(height/(2*text), 2, 10));
    const int textX = x + width + text/2 + 3;

    if (at.empty())
    {
        drawText
        (
            picture,
            tickLabel(look.min, 0),
            textX,
            centred(y + 0.5*height, text),
            style()
        );
    }
    for (const double value : at)
    {
        const double part = (value - look.min)/(look.max - look.min);
        const double pixel = y + (1 - part)*height;
        fill(picture, x + width, int(pixel), text/3, 1, line);
        drawText
        (
            picture,
            tickLabel(value, at.size() > 1 ? at[1] - at[0] : 0),
            textX,
            centred(pixel, text),
            style()
        );
    }
}


void pictureFrame::status(viewPicture& picture, const pictureLook& look) const
{
    const double base =
        picture.height - (look.help.empty() ? 0.9 : 2.5)*text;
    const int x = margin(picture);

    fill
    (
        picture,
        0,
        int(base - 1.2*text),
        picture.width,
        int(1.7*text),
        white
    );

    // In columns: numbers that run shall not push their neighbours
    drawText
    (
        picture,
        "t = " + format("%#.5g", look.time) + " s",
        x,
        base,
        style()
    );
    drawText(picture, "step " + grouped(look.step), x + 9.5*text, base, style());
    if (look.mlups > 0)
    {
        drawText
        (
            picture,
            format(look.mlups < 100 ? "%.1f" : "%.0f", look.mlups) + " MLUPS",
            x + 19*text,
            base,
            style()
        );
    }
    if (look.paused)
    {
        textStyle bold = style(1, true);
        bold.ink = alert;
        drawText(picture, "paused", picture.width - 1.2*text, base, bold, 1);
    }
}


void pictureFrame::help(viewPicture& picture, const pictureLook& look) const
{
    textStyle small = style(0.9);
    small.ink = faint;

    const int x = margin(picture);
    while (small.size > 8 && x + imageOf(look.help, small).width > picture.width)
    {
        --small.size;
    }
    drawText(picture, look.help, x, picture.height - 0.9*text, small);
}


viewPicture blankPicture(int width, int height)
{
    viewPicture picture;
    picture.width = width + width%2;
    picture.height = height + height%2;
    picture.rgb.assign(std::size_t(picture.width)*picture.height*3, 255);
    return picture;
}


std::vector<double> ticks(double min, double max, int count)
{
    std::vector<double> result;
    const double width = max - min;
    if (!(width > 0) || !std::isfinite(width) || count < 1)
    {
        return result;
    }

    const double size = std::pow(10, std::floor(std::log10(width/count)));
    double step = 10*size;
    for (const double factor : {5.0, 2.0, 1.0})
    {
        if (width/(factor*size) <= count)
        {
            step = factor*size;
        }
    }

    // A range that is tiny beside its values has no numbers of its own
    const double first = std::ceil(min/step - 1e-9);
    if (!(step > 0) || !(std::abs(first) < 1e12))
    {
        return result;
    }
    for (double n = first; n*step <= max + 1e-9*step; ++n)
    {
        result.push_back(n == 0 ? 0 : n*step);
    }
    return result;
}


std::string tickLabel(double value, double step)
{
    const double size = std::max(std::abs(value), 10*step);
    if (step > 0 && size >= 1e-2 && size < 1e5)
    {
        const int digits =
            std::clamp(int(-std::floor(std::log10(step) + 1e-9)), 0, 9);
        char text[64];
        std::snprintf(text, sizeof(text), "%.*f", digits, value);
        return text;
    }
    return format("%.4g", value);
}

} // End namespace lbmView
