"""nvcc compiles the CUDA backend and the studies of the benchmark, which Allwmake
leaves out without a GPU. Of the engines those of D2Q9, in both layouts; without
-long the dense one in single precision, and one study.
"""

from caseTest import *

ONE_PRECISION = """
#include "cudaBackend.cuh"

std::unique_ptr<lbm::engine> onePrecision
(
    const lbm::engineSettings& s,
    const lbm::latticeDescription& d
)
{
    using namespace lbm;
    return std::make_unique
    <
        latticeEngine<cudaBackend, D2Q9, dense, singlePrecision>
    >(s, d);
}
"""

nvcc = os.environ.get("NVCC") or shutil.which("nvcc") \
    or shutil.which("nvcc", path="/usr/local/cuda/bin")

if not nvcc or not shutil.which(nvcc):
    skipped("compiles", "no nvcc")
elif not shutil.which("wmake"):
    skipped("compiles", "no wmake")
else:
    engines = top / "src/lattice/cuda"
    studies = top / "utilities/lbmBench/study"
    if ifLong("allPrecisionsLayoutsAndStudies"):
        sources = [*sorted(engines.glob("cudaEngine*D2Q9*.cu")),
                   engines / "cudaEngines.cu", *sorted(studies.glob("*.cu"))]
    else:
        sources = [engines / "cudaEngines.cu", studies / "moments.cu"]
    for source in sources:
        shutil.copy(source, source.name)
    if not long:
        sources.append(Path("onePrecision.cu"))
        sources[-1].write_text(ONE_PRECISION)

    environment = {**os.environ, "NVCC": nvcc,
                   "NVARCH": os.environ.get("NVARCH") or "90"}
    process = subprocess.run(["wmake", "-j", "-s", "objects"],
                             env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(process.stdout)
    objects = {p.stem for p in Path("Make").rglob("*.o")}
    for source in sources:
        check(f"compiles.{source.stem}", source.stem in objects,
              process.stdout[-1500:])
    check("compiles.noWarning", "warning" not in process.stdout,
          process.stdout[:1500])

finish()
