#include "studies.H"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace
{

template<class V>
void addNew(std::vector<V>& all, const V& one)
{
    if (std::find(all.begin(), all.end(), one) == all.end())
    {
        all.push_back(one);
    }
}

//- Narrow enough for a table
std::string shortNumber(double x)
{
    std::ostringstream os;
    os << std::setprecision(4) << x;
    return os.str();
}

//- Smallest and largest of a member of some rows, times a factor; nothing
//  unless shown
template<class V>
std::string range
(
    const std::vector<lbmBench::studyRow>& rows,
    V lbmBench::studyRow::*member,
    double factor,
    bool shown
)
{
    if (!shown)
    {
        return "";
    }
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const lbmBench::studyRow& r : rows)
    {
        low = std::min(low, factor*double(r.*member));
        high = std::max(high, factor*double(r.*member));
    }
    const auto text = [](double x)
    {
        return shortNumber(x < 100 ? std::round(x) : std::round(10*x)/10);
    };
    return
        text(low) == text(high) ? text(low) : text(low) + " to " + text(high);
}

} // End anonymous namespace


void lbmBench::studyResults::addPart(const studyPart& p)
{
    parts_.push_back(p);
}


void lbmBench::studyResults::add(const studyRow& r)
{
    rows_.push_back(r);
}


void lbmBench::studyResults::note(const std::string& text)
{
    notes_.push_back(text);
}


std::vector<lbmBench::studyRow> lbmBench::studyResults::column
(
    const std::string& part,
    const std::string& variant
) const
{
    std::vector<studyRow> result;
    for (const studyRow& r : rows_)
    {
        if (r.part == part && r.variant == variant)
        {
            result.push_back(r);
        }
    }
    return result;
}


void lbmBench::studyResults::printFigures
(
    std::ostream& os,
    const studyPart& p
) const
{
    std::vector<double> xs;
    std::vector<std::string> variants;
    bool predicted = false;
    for (const studyRow& r : rows_)
    {
        if (r.part == p.name)
        {
            addNew(xs, r.x);
            addNew(variants, r.variant);
            predicted = predicted || r.predicted >= 0;
        }
    }
    if (xs.size() < 2)
    {
        return;
    }

    os << "| " << p.xName << " |";
    for (const std::string& v : variants)
    {
        os << ' ' << v << " |" << (predicted ? " expected |" : "");
    }
    os << "\n|";
    for (std::size_t i = 0; i <= variants.size()*(predicted ? 2 : 1); ++i)
    {
        os << "---|";
    }
    os << '\n';
    for (const double x : xs)
    {
        os << "| " << shortNumber(x) << " |";
        for (const std::string& v : variants)
        {
            std::string value, expected;
            for (const studyRow& r : rows_)
            {
                if (r.part == p.name && r.variant == v && r.x == x)
                {
                    value = shortNumber(r.value);
                    expected = r.predicted < 0 ? "" : shortNumber(r.predicted);
                }
            }
            os << ' ' << value << " |";
            if (predicted)
            {
                os << ' ' << expected << " |";
            }
        }
        os << '\n';
    }
    os << '\n';
}


void lbmBench::studyResults::printVariants
(
    std::ostream& os,
    const studyPart& p
) const
{
    std::vector<std::string> variants;
    std::vector<double> xs;
    bool predicted = false;
    for (const studyRow& r : rows_)
    {
        if (r.part == p.name)
        {
            addNew(xs, r.x);
            addNew(variants, r.variant);
            predicted = predicted || r.predicted >= 0;
        }
    }
    const bool single = xs.size() < 2;
    predicted = predicted && single;

    os  << "| variant |" << (single ? ' ' + p.unit + " | of copy |" : "")
        << (predicted ? " expected |" : "")
        << " B a node | registers | local B | occupancy | check |\n|---|"
        << (single ? "---|---|" : "") << (predicted ? "---|" : "")
        << "---|---|---|---|---|\n";
    for (const std::string& variant : variants)
    {
        const std::vector<studyRow> rows = column(p.name, variant);
        const studyRow& r = rows.front();
        os << "| " << variant << " |";
        if (single)
        {
            os << ' ' << shortNumber(r.value) << " | ";
            if (r.ofCopy >= 0)
            {
                os << std::lround(100*r.ofCopy) << " % ";
            }
            os << '|';
        }
        if (predicted)
        {
            os << ' ' << shortNumber(r.predicted) << " |";
        }

        const bool isKernel = r.registers > 0;
        os  << ' ' << range(rows, &studyRow::bytes, 1, r.bytes > 0)
            << " | " << range(rows, &studyRow::registers, 1, isKernel)
            << " | " << range(rows, &studyRow::localBytes, 1, isKernel)
            << " | " << range(rows, &studyRow::occupancy, 100, isKernel)
            << (isKernel ? " %" : "")
            << " | " << r.check << " |\n";
    }
    os << '\n';
}


void lbmBench::studyResults::print(std::ostream& os) const
{
    for (const studyPart& p : parts_)
    {
        os << '\n' << p.title << " [" << p.unit << "]\n\n";
        printFigures(os, p);
        printVariants(os, p);
    }
    for (const std::string& text : notes_)
    {
        os << text << '\n';
    }
}


void lbmBench::studyResults::writeCsv
(
    std::ostream& os,
    const std::vector<std::string>& what
) const
{
    for (const std::string& line : what)
    {
        os << "# " << line << '\n';
    }
    os  << "part,title,xName,x,variant,unit,value,ofCopy,bytes,registers,"
           "localBytes,occupancy,predicted,check\n"
        << std::setprecision(6);
    const auto unlessNegative = [&](double x)
    {
        if (x >= 0)
        {
            os << x;
        }
        os << ',';
    };
    for (const studyPart& p : parts_)
    {
        for (const studyRow& r : rows_)
        {
            if (r.part == p.name)
            {
                os  << p.name << ",\"" << p.title << "\",\"" << p.xName
                    << "\"," << r.x << ",\"" << r.variant << "\",\""
                    << p.unit << "\"," << r.value << ',';
                unlessNegative(r.ofCopy);
                os  << r.bytes << ',' << r.registers << ',' << r.localBytes
                    << ',' << r.occupancy << ',';
                unlessNegative(r.predicted);
                os  << r.check << '\n';
            }
        }
    }
}
