#include "studyList.H"

namespace
{

//- A study after its preparation
template<void (*work)(lbmBench::studyResults&)>
void prepared(lbmBench::studyResults& results)
{
    lbmBench::prepare(results);
    work(results);
}

} // End anonymous namespace


const std::vector<lbmBench::study>* lbmBenchStudies()
{
    using namespace lbmBench;
    static const std::vector<study> all
    {
        {
            1, "solids",
            "solid nodes: flags in the kernel, an index list, a list layout",
            prepared<solids>
        },
        {
            2, "splitting",
            "one kernel or several: branches, loops, boundaries",
            prepared<splitting>
        },
        {
            3, "propagation",
            "push, pull, in place; misaligned reads and writes",
            prepared<propagation>
        },
        {
            4, "arrays",
            "structure of arrays, array of structures, blocks; order of axes",
            prepared<arrays>
        },
        {
            5, "merging",
            "collision, streaming, fields as one kernel or several; shared"
            " memory",
            prepared<merging>
        },
        {
            6, "streams",
            "link groups in one stream, in many, in a graph",
            prepared<streams>
        },
        {
            7, "registers",
            "threads of a block and registers of a thread",
            prepared<registers>
        },
        {
            8, "moments",
            "moments instead of populations: speed and accuracy",
            prepared<moments>
        },
        {
            9, "hybrid",
            "temperature by finite differences or on a lattice: speed and"
            " accuracy",
            prepared<hybrid>, true
        }
    };
    return &all;
}
