#include "csvFile.H"

namespace lbmBench
{

namespace
{

//- A value as it stands in the file
std::string quoted(const std::string& value)
{
    if (value.find_first_of(",\"\n") == std::string::npos)
    {
        return value;
    }
    std::string result = "\"";
    for (const char c : value)
    {
        result += c == '"' ? "\"\"" : std::string(1, c);
    }
    return result + '"';
}

std::string joined(const words& values)
{
    std::string result;
    for (const std::string& value : values)
    {
        result += (&value == &values[0] ? "" : ",") + quoted(value);
    }
    return result;
}

std::string firstLineOf(const std::string& name)
{
    std::string line;
    std::getline(std::ifstream(name), line);
    return line;
}

} // End anonymous namespace


void csvFile::check(const std::string& name, const words& columns)
{
    const std::string first = name.empty() ? "" : firstLineOf(name);
    const std::string last = ',' + joined(columns);
    if
    (
        !first.empty()
     && (
            first.size() < last.size()
         || first.substr(first.size() - last.size()) != last
        )
    )
    {
        throw lbm::error
        (
            name + " holds another table; its columns are " + first
          + " and do not end with " + last.substr(1)
        );
    }
}


void csvFile::writeLine(const words& values)
{
    os_ << joined(values) << std::endl;
    if (!os_)
    {
        throw lbm::error("cannot write " + name_);
    }
}


csvFile::csvFile
(
    const std::string& name,
    const headingLines& heading,
    const words& columns
)
:
    name_(name)
{
    if (name.empty())
    {
        return;
    }

    words all;
    for (const auto& line : heading)
    {
        all.push_back(line.first);
        heading_.push_back(line.second);
    }
    all.insert(all.end(), columns.begin(), columns.end());

    const std::string first = firstLineOf(name);
    if (!first.empty() && first != joined(all))
    {
        throw lbm::error
        (
            name + " holds another table; its columns are " + first
          + " and not " + joined(all)
        );
    }

    os_.open(name, std::ios::app);
    if (!os_)
    {
        throw lbm::error("cannot write " + name);
    }
    if (first.empty())
    {
        writeLine(all);
    }
}


void csvFile::write(const words& row)
{
    if (!name_.empty())
    {
        words all(heading_);
        all.insert(all.end(), row.begin(), row.end());
        writeLine(all);
    }
}

} // End namespace lbmBench
