"""lbmBench on the host: what its commands print and write agrees with itself
and with the solver, and bad arguments are refused with what is possible.

Speeds are those of the machine, and not tested; that they are what the bytes,
nodes and times beside them make them to be is.
"""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

from caseTest import *

here = Path.cwd()
host = "--backend host"


def bench(arguments, case=".", log=None):
    return run(
        "lbmBench " + arguments, case,
        log=log or "log.lbmBench." + arguments.split()[0],
    )


def mustBench(arguments, case=".", log=None):
    status, output = bench(arguments, case, log)
    if status != 0:
        failed(arguments, f"exit status {status}\n{output[-600:]}")
        finish()
    return output


def rows(name):
    """Rows of a csv file, as dictionaries."""
    with open(here / name, newline="") as f:
        return list(csv.DictReader(f))


def near(a, b, tolerance):
    return abs(a - b) <= tolerance*max(abs(a), abs(b))


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else None


# Heading and ceiling

output = mustBench(
    f"ceiling {host} --megabytes 40 --repeat 1 --csv ceiling.csv"
)
names = ("device", "software", "date", "commit", "command")
missing = [n for n in names if not re.search(rf"^{n} +\S", output, re.M)]
check("heading", not missing, f"no {missing} in\n{output}")

check(
    "commandLine",
    "lbmBench ceiling --backend host --megabytes 40" in output,
    output,
)

table = rows("ceiling.csv")
quantities = [r["quantity"] for r in table]
check(
    "ceiling.quantities",
    quantities[:4] == ["copy", "read", "write", "update"]
    and quantities[-1] == "launch"
    # Those of D2Q9, D3Q19 and D3Q27 in single and double precision
    and {"9 x 4", "9 x 8", "19 x 4", "19 x 8", "27 x 4", "27 x 8"}
    <= set(quantities[4:-1])
    and all(re.fullmatch(r"\d+ x \d", q) for q in quantities[4:-1]),
    quantities,
)
printed = [number(rf"\n{r['quantity']} +([\d.]+) ", output) for r in table]
check(
    "ceiling.csvAsPrinted",
    all(
        p and p > 0 and abs(p - float(r["value"])) <= 0.051
        for p, r in zip(printed, table)
    ),
    f"{printed} {[r['value'] for r in table]}",
)

commit = re.search(r"^commit +(\S+)", output, re.M).group(1)
check(
    "commit",
    commit == "unknown" or re.fullmatch(r"[0-9a-f]{12}(\+changes)?", commit),
    commit,
)


# Boxes: what is in a row agrees

steps = "--steps 4 --warm-up 2 --repeat 2"
output = mustBench(
    f"box {host} {steps} --size 24 32x16x8 --model --csv runs.csv"
)
check("box.runs", len(re.findall(r"^run ", output, re.M)) == 2, output)

output = mustBench(f"box {host} {steps} --lattice D3Q27 --size 12 --model")
check("box.D3Q27", "D3Q27 single TRT dense" in output and "216.0 B" in output,
      output)

parts = mustBench(f"box {host} {steps} --size 12 --devices 0 0")
check("box.devices", "12x12x12 on devices 0 0" in parts
      and parts.count(" 864 nodes, 672 links to other parts") == 2, parts)

tabled = mustBench(f"table {host} --divide 64 --repeat 1 --csv table.csv")
lines = re.findall(
    r"^\S.*? +\d+ +([\d.]+) +[\d.]+ % +[\d.]+ % +[\d.]+ *([\d.]*) *$",
    tabled,
    re.M,
)
speeds = [float(r["GLUPS"]) for r in rows("table.csv")]
check(
    "table.rows",
    len(lines) == 34 and sum(bool(ratio) for _, ratio in lines) == 11,
    tabled,
)
wrong = []
for speed, ratio in lines:
    own = speeds.pop(0)
    beside = speeds.pop(0) if ratio else None
    # Printed to three digits, of speeds that have four in the file
    rounding = (
        0.00051 + 1.05*own/beside*(0.00005/own + 0.00005/beside)
        if ratio else 0
    )
    if (
        abs(float(speed) - own) > 0.00056
        or ratio and abs(float(ratio) - own/beside) > rounding
    ):
        wrong.append((speed, ratio, own, beside))
check("table.values", not wrong and not speeds, (wrong, speeds))

mustBench(
    f"sweep {host} {steps} --lattice D2Q9 --size 48 32x16 "
    "--precision single double --layout dense list --collision TRT BGK "
    "--csv runs.csv",
)
table = rows("runs.csv")
check("sweep.rows", len(table) == 2 + 2*2*2*2, len(table))
check(
    "sweep.order",
    [r["run"] for r in table]
    == ["24x24x24", "32x16x8"] + 8*["48x48", "32x16"],
    [r["run"] for r in table],
)
check(
    "sweep.models",
    len({(r["run"], r["precision"], r["layout"], r["collision"])
         for r in table[2:]}) == 16,
    table,
)

bytesPerNode = {
    ("D3Q19", "single", "dense"): 152, ("D2Q9", "single", "dense"): 72,
    ("D2Q9", "double", "dense"): 144, ("D2Q9", "single", "list"): 72.5,
    ("D2Q9", "double", "list"): 144.5,
}
wrong = []
for r in table:
    nodes = 1
    for n in r["run"].split("x"):
        nodes *= int(n)
    bytes = bytesPerNode[r["lattice"], r["precision"], r["layout"]]
    fraction = float(r["GLUPS"])*bytes/float(r["copyGBs"])
    if not (
        int(r["nodes"]) == nodes
        and float(r["bytesPerNode"]) == bytes
        and float(r["GLUPS"]) > 0
        and float(r["spread"]) >= 0
        # Four decimals of the speed, one of the bandwidth
        and abs(float(r["fractionOfCopy"]) - fraction)
        < 1e-4 + fraction*(6e-5/float(r["GLUPS"]) + 0.06/float(r["copyGBs"]))
    ):
        wrong.append(r)
check("rows.consistent", not wrong, wrong)

check(
    "model.onlyWhereAskedFor",
    [bool(r["modelGLUPS"]) for r in table] == 2*[True] + 16*[False],
    [r["modelGLUPS"] for r in table],
)
difference = [
    (float(r["modelGLUPS"])/float(r["GLUPS"]) - 1, float(r["modelDifference"]))
    for r in table[:2]
]
check(
    "model.difference",
    # Four decimals of speeds of some hundredths
    all(abs(a - b) < 0.01*(1 + abs(a)) for a, b in difference),
    difference,
)

# The kernels' times add up to that of the step, as they follow each other
# on the host: those of nodes with the time of an empty step, those of links
# with that of an empty kernel. Each is printed to 0.01 us
first = output.split("\nrun ")[1]
kernels = [float(t) for t in re.findall(r"of memory +([\d.]+) us", first)]
kernel = number(r"kernel ([\d.]+) us", first)
step = number(r"empty step ([\d.]+) us", first)
total = number(r"device ([\d.]+) us", first)
check(
    "model.sum",
    # Shell, interior, wall and lid
    len(kernels) == 4
    and abs(sum(kernels) + 2*step + 2*kernel - total) < 0.1 + 0.02*4,
    f"{kernels} {step} {kernel} {total}",
)


# A case: nodes and links as in the solver's log

case = copyCase("poiseuille", here / "poiseuille")
mustRun("blockMesh", case)
log = mustRun("lbmGpuFoam -dry-run", case)
nodes = [int(n) for n in re.search(
    r"Nodes: (\d+) fluid, of which (\d+) have links", log).groups()]
links = re.search(r"^Links:\n((?:    .*\n)+)", log, re.M).group(1)
nLinks = sum(int(n) for n in re.findall(r": (\d+) \w+$", links, re.M))

before = sorted(p.name for p in case.iterdir())
output = mustBench(
    f"case {case} {host} {steps} --forces-every 2 --model --csv case.csv"
)
row = rows("case.csv")[0]
check(
    "case.nodesOfTheSolver",
    [int(row["nodes"]), int(row["nodesWithLinks"])] == nodes
    and int(row["links"]) == nLinks,
    f"{row} {nodes} {nLinks}",
)
check("case.linksByGroup", links in output, links)
check(
    "case.writesNothing",
    sorted(p.name for p in case.iterdir()) == before,
    [p.name for p in case.iterdir()],
)
check(
    "case.forces",
    float(row["GLUPSWithForces"]) > 0
    and re.search(r"^forces .* 2 steps$", output, re.M),
    row,
)
check(
    "case.ratio",
    # Four decimals of speeds of some hundredths
    near(
        float(row["ratioToBox"]),
        float(row["GLUPS"])/float(row["boxGLUPS"]),
        0.02,
    ),
    row,
)
boxNodes = 1
for n in row["boxSize"].split("x"):
    boxNodes *= int(n)
check(
    "case.boxOfAsManyNodes",
    # To half a row
    abs(boxNodes/nodes[0] - 1) < 0.5/int(row["boxSize"].split("x")[1]),
    f"{boxNodes} {nodes[0]}",
)

# Half the spacing, other models, another mesh
spacing = number(r"spacing ([\d.e-]+) m, 1 node a cell", log)
mustBench(
    f"case {case} {host} {steps} --spacing {spacing/2} --precision double"
    " --layout list --collision BGK --csv case.csv",
    log="log.lbmBench.finer",
)
finer = rows("case.csv")[1]
check("case.spacing", int(finer["nodes"]) == 4*nodes[0], finer)
check(
    "case.models",
    (finer["precision"], finer["layout"], finer["collision"])
    == ("double", "list", "BGK"),
    finer,
)


# Bad input
# The table of tests/bench/cases is of these rows

scripts = Path(os.environ["LBMGPUFOAM_DIR"])/"tests/bench"
summary = subprocess.run(
    [sys.executable, scripts/"cases/summary", here/"case.csv"],
    capture_output=True, text=True,
).stdout.splitlines()
wanted = [
    (f"{float(r['GLUPSWithForces'] or 0)/float(r['boxGLUPS']):.3f}",
     f"{float(r['GLUPS'])/float(r['boxGLUPS']):.3f}")
    for r in rows("case.csv")
]
check(
    "case.summary",
    len(summary) == 3
    and summary[1].split()[7:9] == [wanted[0][1], wanted[0][0]]
    and summary[2].split()[7:9] == [wanted[1][1], "-"],
    (summary, wanted),
)

# Counters of the kernel that takes longest, means of its launches, whatever
# their parity

counters = scripts/"counters/counters"


def count(*arguments):
    return subprocess.run(
        [sys.executable, counters, *arguments],
        capture_output=True, text=True, cwd=here,
    )


metrics = count("-metrics").stdout.strip().split(",")


def launch(kernel, time, read, other=1):
    values = {
        "gpu__time_duration.sum": time,
        "dram__bytes_read.sum": read,
        "dram__bytes_write.sum": "1,000,000",
    }
    return [kernel] + [values.get(name, other) for name in metrics]


node = (
    "lbm::updateNode<lbm::model<lbm::D3Q19>, lbm::noForcing, (int){},"
    " lbm::noTerms>"
)
lines = [
    ["Kernel Name"] + metrics,
    [""] + [{"t": "nsecond", "b": "byte"}.get(
        "t" if "time" in name else "b" if "bytes" in name else "", "")
        for name in metrics],
    launch(f"void lbm::vectorKernel<{node.format(0)}>(lbm::lineList, long)",
           "2,000", "3,000,000", 40),
    launch(f"void lbm::vectorKernel<{node.format(1)}>(lbm::lineList, long)",
           "4,000", "5,000,000", 60),
    launch("void lbm::linesKernel<short>(lbm::lineList)", "2,900", "7"),
]
(here/"ncu.csv").write_text(
    "==PROF== Profiling: 0%....100% - 3 passes\n" + "".join(
        ",".join(f'"{value}"' for value in line) + "\n" for line in lines)
)
status = count("ncu.csv", "lbmBench box", "counters.csv").returncode
row = rows("counters.csv")[0]
check(
    "counters.longest",
    status == 0 and row["launches"] == "2"
    and row["kernel"] == "vectorKernel<updateNode<model<D3Q19>, noForcing, *,"
    " noTerms>>",
    row,
)
check(
    "counters.means",
    (float(row["gpu__time_duration.sum"]), float(row["dram__bytes_read.sum"]))
    == (3000, 4e6),
    row,
)
table = count("counters.csv").stdout.splitlines()
# (4 MB + 1 MB)/3 us, and the mean of 40 and 60; a share of 100 %
check(
    "counters.table",
    len(table) == 2
    and table[1].split()[2:] == ["1667", "50", "50", "50", "100", "50"],
    table,
)
(here/"empty.csv").write_text('"Kernel Name"\n')
empty = count("empty.csv", "lbmBench box", "counters.csv")
check(
    "counters.noKernel",
    empty.returncode != 0 and "empty.csv has no kernel" in empty.stderr,
    empty.stderr,
)


def refused(name, arguments, *patterns):
    status, output = bench(arguments, log="log.refused." + name)
    wanted = [p for p in patterns if not re.search(p, output)]
    check(
        "refused." + name,
        status == 1 and not wanted,
        f"status {status}, no {wanted} in\n{output[-600:]}",
    )


(here / "other.csv").write_text("a,b\n1,2\n")
copyCase("poiseuille", here / "empty")

refused("noCommand", "", "no command", "ceiling", "case")
refused("command", "boxes", "unknown command 'boxes'", "ceiling, box, sweep")
refused("option", "box --sizes 3", "sizes")
refused("size", f"box {host} --size 12x3", "12x3", "64x32x16")
refused("sizeZero", f"box {host} --size 0", "'0'", "possible")
refused("sizeWord", f"box {host} --size large", "'large'", "possible")
refused("lattice", f"box {host} --lattice D3Q7", "D3Q7", "D2Q9", "D3Q19",
        "D3Q27")
refused("precision", f"sweep {host} --precision triple", "triple", "single")
refused("layout", f"sweep {host} --layout auto", "auto", "dense")
refused("collision", f"box {host} --collision SRT", "SRT", "MRT")
refused("steps", f"box {host} --steps 0", "--steps is 0", "1 or more")
refused("repeat", f"ceiling {host} --repeat 0", "--repeat is 0", "1 or more")
refused("megabytes", f"ceiling {host} --megabytes -1", "-1", "1 or more")
refused("backend", "ceiling --backend opencl", "opencl", "host")
refused(
    "csv", f"box {host} --size 8 --steps 1 --csv other.csv",
    "other.csv", "a,b",
)
refused(
    "csvFolder", f"box {host} --size 8 --steps 1 --csv none/here.csv",
    "cannot write none/here.csv",
)
refused(
    "csvOfCase", f"case {case} {host} --steps 1 --csv runs.csv",
    "runs.csv holds another table", "ratioToBox",
)
refused("noCase", "case", "lbmBench case DIR")
refused("noSuchCase", "case nowhere", "nowhere", "system/controlDict")
refused("noMesh", f"case {here / 'empty'}", "FATAL ERROR", "polyMesh")
refused("spacing", f"case {case} --spacing 0", "--spacing is 0", "above 0")
refused("forces", f"case {case} --forces-every -1", "-1", "or more")
refused(
    "caseWord", f"case {case} {host} --collision SRT",
    "Unknown collision SRT", "BGK",
)

for command in ("", "ceiling", "box", "sweep", "table", "case"):
    status, output = run(f"lbmBench {command} --help", log="log.help")
    check(
        f"help.{command or 'all'}",
        status == 0 and output.startswith("Usage: lbmBench"),
        output,
    )

# Vortices that decay into turbulence: 32^3 nodes, on which TRT diverges and the
# others keep 0.0864, the energy of 256^3 nodes, within a fifth or so

output = mustBench(
    f"vortices {host} --size 32 --lattice D3Q27 --csv vortices.csv"
    " --collision TRT recursiveRegularised cumulant"
)
found = {row["collision"]: row for row in rows("vortices.csv")}
check("vortices.rows", list(found) ==
      ["TRT", "recursiveRegularised", "cumulant"], output)
check("vortices.TRTDiverges", "diverges at" in output
      and float(found["TRT"]["diverged"]) > 0 and not found["TRT"]["energy"],
      output)
errors = {name: abs(float(found[name]["energy"])/0.0864 - 1)
          for name in ("recursiveRegularised", "cumulant")}
check("vortices.cumulantKeepsTheEnergy", errors["cumulant"] < 0.15
      and errors["cumulant"] < 0.6*errors["recursiveRegularised"], str(errors))
status, output = bench(f"vortices {host} --size 2")
check("vortices.refusesSize", status != 0 and "4 or more" in output, output)
status, output = bench(f"vortices {host} --lattice D3Q19 --collision cumulant")
check("vortices.refusesCollision", status != 0 and "D3Q19" in output
      and "recursiveRegularised" in output, output)
status, output = bench(f"vortices {host} --lattice D2Q9")
check("vortices.refusesLattice", status != 0 and "D3Q19 or D3Q27" in output,
      output)

finish()
