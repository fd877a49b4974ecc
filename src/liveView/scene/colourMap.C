#include <vtkColorTransferFunction.h>
#include <vtkNew.h>

#include "colourMap.H"
#include "viewDisplay.H"

#include <map>

namespace lbmView
{

namespace
{

const unsigned viridis[] =
{
    0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e,
    0x1f9e89, 0x35b779, 0x6dcd59, 0xb4de2c, 0xfde725
};


colourTable tableOf(vtkColorTransferFunction* map)
{
    std::array<double, 3*256> values;
    map->GetTable(0, 1, 256, values.data());

    colourTable table;
    for (int i = 0; i < 256; ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            table[i][c] = std::uint8_t(std::lround(255*values[3*i + c]));
        }
    }
    return table;
}


std::map<std::string, colourTable> makeTables()
{
    std::map<std::string, colourTable> tables;

    {
        vtkNew<vtkColorTransferFunction> map;
        const int n = int(std::size(viridis));
        for (int i = 0; i < n; ++i)
        {
            const unsigned c = viridis[i];
            map->AddRGBPoint
            (
                i/(n - 1.0),
                (c >> 16)/255.0,
                (c >> 8 & 255)/255.0,
                (c & 255)/255.0
            );
        }
        tables["viridis"] = tableOf(map);
    }
    {
        vtkNew<vtkColorTransferFunction> map;
        map->SetColorSpaceToDiverging();
        map->AddRGBPoint(0, 0.230, 0.299, 0.754);
        map->AddRGBPoint(1, 0.706, 0.016, 0.150);
        tables["coolToWarm"] = tableOf(map);
    }
    {
        vtkNew<vtkColorTransferFunction> map;
        map->AddRGBPoint(0, 0.1, 0.1, 0.1);
        map->AddRGBPoint(1, 0.95, 0.95, 0.95);
        tables["grey"] = tableOf(map);
    }
    return tables;
}


const std::map<std::string, colourTable>& tables()
{
    static const std::map<std::string, colourTable> all = makeTables();
    return all;
}

} // End unnamed namespace


std::vector<std::string> colourMapNames()
{
    std::vector<std::string> names;
    for (const auto& [name, table] : tables())
    {
        names.push_back(name);
    }
    return names;
}


const colourTable& colourMap(const std::string& name)
{
    const auto found = tables().find(name);
    if (found == tables().end())
    {
        std::string valid;
        for (const std::string& known : colourMapNames())
        {
            valid += " " + known;
        }
        throw viewError("Unknown colour map " + name + "; valid:" + valid);
    }
    return found->second;
}

} // End namespace lbmView
