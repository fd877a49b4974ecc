"""nvcc compiles the CUDA backend and the studies of the benchmark, which Allwmake
leaves out without a GPU: of the engines those of D2Q9, in both layouts.
"""

from caseTest import *

nvcc = os.environ.get("NVCC") or shutil.which("nvcc") \
    or shutil.which("nvcc", path="/usr/local/cuda/bin")

if not nvcc or not shutil.which(nvcc):
    skipped("compiles", "no nvcc")
elif not shutil.which("wmake"):
    skipped("compiles", "no wmake")
else:
    engines = top / "src/lattice/cuda"
    studies = sorted((top / "utilities/lbmBench/study").glob("*.cu"))
    sources = [*sorted(engines.glob("cudaEngine*D2Q9*.cu")),
               engines / "cudaEngines.cu", *studies]
    for source in sources:
        shutil.copy(source, source.name)

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
