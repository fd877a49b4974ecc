#include <vtkAutoInit.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

#include "pictureText.H"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include <unistd.h>

// The text renderer of this program is that module's
VTK_MODULE_INIT(vtkRenderingFreeType)

namespace lbmView
{

namespace
{

// Numbers that run fill the memory; forget all of them now and then
constexpr std::size_t maxTexts = 400;


// A font whose digits are all of one width, so that numbers that run stand
// still; empty if there is none
std::string fontFile(bool bold)
{
    const std::string file =
        std::string("/usr/share/fonts/truetype/dejavu/DejaVuSans")
      + (bold ? "-Bold.ttf" : ".ttf");

    return access(file.c_str(), R_OK) == 0 ? file : "";
}


textImage render(const std::string& text, const textStyle& style)
{
    textImage result;

    const vtkStdString string(text);
    vtkNew<vtkTextProperty> property;
    const std::string file = fontFile(style.bold);
    if (file.empty())
    {
        property->SetFontFamilyToArial();
        property->SetBold(style.bold);
    }
    else
    {
        property->SetFontFamily(VTK_FONT_FILE);
        property->SetFontFile(file.c_str());
    }
    property->SetFontSize(style.size);
    property->SetColor(1, 1, 1);
    property->SetOpacity(1);
    property->SetJustificationToLeft();
    property->SetVerticalJustificationToBottom();

    vtkNew<vtkImageData> image;
    int size[2] = {0, 0};
    vtkTextRenderer* tools = vtkTextRenderer::GetInstance();
    constexpr int dpi = 72;
    constexpr int fonts = vtkTextRenderer::FreeType;

    if
    (
        text.empty()
     || !tools
     || !tools->RenderString(property, string, image, size, dpi, fonts)
     || image->GetScalarType() != VTK_UNSIGNED_CHAR
     || image->GetNumberOfScalarComponents() != 4
    )
    {
        return result;
    }

    int dims[3];
    image->GetDimensions(dims);
    result.width = std::min(size[0], dims[0]);
    result.height = std::min(size[1], dims[1]);
    result.cover.resize(std::size_t(result.width)*result.height);

    const auto* rgba =
        static_cast<const unsigned char*>(image->GetScalarPointer());

    for (int y = 0; y < result.height; ++y)
    {
        const int row = result.height - 1 - y;
        for (int x = 0; x < result.width; ++x)
        {
            result.cover[std::size_t(y)*result.width + x] =
                rgba[4*(std::size_t(row)*dims[0] + x) + 3];
        }
    }

    // The image ends below the deepest letter of the font, not of the text
    vtkTextRenderer::Metrics metrics;
    result.base = result.height - 1;
    if (tools->GetMetrics(property, string, metrics, dpi, fonts))
    {
        result.base += metrics.Descent.GetY();
    }
    return result;
}


const textImage& cached
(
    const std::string& text,
    const textStyle& style,
    std::unique_lock<std::mutex>& lock
)
{
    static std::mutex mutex;
    static std::map<std::tuple<std::string, int, bool>, textImage> texts;

    lock = std::unique_lock<std::mutex>(mutex);

    const auto key = std::make_tuple(text, style.size, style.bold);
    const auto found = texts.find(key);
    if (found != texts.end())
    {
        return found->second;
    }
    if (texts.size() >= maxTexts)
    {
        texts.clear();
    }
    return texts.emplace(key, render(text, style)).first->second;
}


void blend(std::uint8_t* pixel, const colour& ink, int cover)
{
    for (int c = 0; c < 3; ++c)
    {
        pixel[c] =
            std::uint8_t(pixel[c] + (int(ink[c]) - pixel[c])*cover/255);
    }
}

} // End unnamed namespace


textImage imageOf(const std::string& text, const textStyle& style)
{
    std::unique_lock<std::mutex> lock;
    return cached(text, style, lock);
}


int drawText
(
    viewPicture& picture,
    const std::string& text,
    double x,
    double y,
    const textStyle& style,
    double align
)
{
    std::unique_lock<std::mutex> lock;
    const textImage& image = cached(text, style, lock);

    const int left = int(std::lround(x - align*image.width));
    const int top = int(std::lround(y)) - image.base;

    const int i0 = std::max(0, -left);
    const int i1 = std::min(image.width, picture.width - left);
    const int j0 = std::max(0, -top);
    const int j1 = std::min(image.height, picture.height - top);

    for (int j = j0; j < j1; ++j)
    {
        for (int i = i0; i < i1; ++i)
        {
            const int cover = image.cover[std::size_t(j)*image.width + i];
            if (cover)
            {
                blend
                (
                    &picture.rgb
                    [
                        3*(std::size_t(top + j)*picture.width + left + i)
                    ],
                    style.ink,
                    cover
                );
            }
        }
    }
    return image.width;
}


void drawUpwards
(
    viewPicture& picture,
    const std::string& text,
    double x,
    double y,
    const textStyle& style,
    double align
)
{
    std::unique_lock<std::mutex> lock;
    const textImage& image = cached(text, style, lock);

    const int left = int(std::lround(x)) - image.base;
    const int bottom = int(std::lround(y + align*image.width));

    for (int j = 0; j < image.height; ++j)
    {
        for (int i = 0; i < image.width; ++i)
        {
            const int px = left + j, py = bottom - i;
            if (px >= 0 && px < picture.width && py >= 0 && py < picture.height)
            {
                blend
                (
                    &picture.rgb[3*(std::size_t(py)*picture.width + px)],
                    style.ink,
                    image.cover[std::size_t(j)*image.width + i]
                );
            }
        }
    }
}


void fill
(
    viewPicture& picture,
    int x,
    int y,
    int width,
    int height,
    const colour& with
)
{
    const int x0 = std::max(x, 0), x1 = std::min(x + width, picture.width);
    const int y0 = std::max(y, 0), y1 = std::min(y + height, picture.height);

    for (int j = y0; j < y1; ++j)
    {
        std::uint8_t* p =
            picture.rgb.data() + 3*(std::size_t(j)*picture.width + x0);
        for (int i = x0; i < x1; ++i, p += 3)
        {
            std::copy(with.begin(), with.end(), p);
        }
    }
}

} // End namespace lbmView
