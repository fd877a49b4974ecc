"""The collision and the refinement that auto takes: TRT at a small cell
Reynolds number; a finer lattice above, while its nodes are few; the regularised
one where that does not do; and what the user asks for.
"""

import re
import shutil

from channelCase import *

case = copyCase("cavity", "case")
mustRun("blockMesh", case)
solution = (case / "system/fvSolution").read_text()

# The lid moves at 1 m/s over cells of 5 mm: 8 is at nu = 6.25e-4 m2/s, 25 at
# 2e-4
for name, nu, entry, collision, reason in (
    ("coarse", 6.26e-4, "", "TRT", "7.98722, at most 25: collision TRT\n"
     "    refinement            1, cell Reynolds number 7.98722 with 1"),
    ("small", 2.01e-4, "refinement 1;", "TRT",
     "24.8756, at most 25: collision TRT"),
    ("large", 1.99e-4, "refinement 1;", "recursiveRegularised",
     "25.1256, above 25: collision recursiveRegularised"),
    ("refined", 6.24e-4, "", "TRT",
     "4.00641, at most 25: collision TRT\n"
     "    refinement            2, cell Reynolds number 8.01282 with 1"),
    ("refinedTwice", 2e-4, "refinement auto;", "TRT",
     "6.25, at most 25: collision TRT\n"
     "    refinement            4, cell Reynolds number 25 with 1"),
    ("asked", 1e-5, "collision auto;", "recursiveRegularised",
     "125, above 25: collision recursiveRegularised\n"
     "    refinement            4, cell Reynolds number 500 with 1"),
    ("given", 3e-4, "collision TRT;", "TRT", "16.6667\n"),
    ("givenRegularised", 0.01, "collision recursiveRegularised;",
     "recursiveRegularised", "0.5\n"),
):
    setEntry(case / "constant/transportProperties", "nu", nu)
    (case / "system/fvSolution").write_text(solution
                                            + f"\nLBM {{ {entry} }}\n")
    output = mustRun("lbmGpuFoam -dry-run", case)
    summary = re.search(r"Lattice D2Q9.*?\n\n", output, re.S)[0]
    check(name, f"collision {collision}" in summary.splitlines()[0]
          and f"cell Reynolds number  {reason}" in summary
          and "tends to diverge" not in output, summary)

# The relaxation time of the odd moments in a closed box: at most 10, and in three
# dimensions at most 1.5 where 3/16 gives more than 10
mesh = (case / "system/blockMeshDict").read_text()
deep = copyCase("cavity", "deep")
path = deep / "system/blockMeshDict"
path.write_text(re.sub(r"\((\d+ \d+) 1\)", r"(\1 2)", mesh, 1).replace(
    "type empty", "type wall"))
for name in "U", "p":
    path = deep / "0" / name
    path.write_text(path.read_text().replace(
        "empty", "noSlip" if name == "U" else "zeroGradient"))
mustRun("blockMesh", deep)
for name, folder, nu, limit in (
    ("plane", case, 2.01e-4, "10"), ("planeLarge", case, 1e-3, None),
    ("deep", deep, 2.01e-4, "1.5"), ("deepLarge", deep, 1e-3, None),
):
    setEntry(folder / "constant/transportProperties", "nu", nu)
    (folder / "system/fvSolution").write_text(
        solution + "\nLBM { refinement 1; }\n")
    output = mustRun("lbmGpuFoam -dry-run", folder)
    said = re.search(r"magic parameter [^)]*", output)[0]
    check(f"oddTime.{name}", said.endswith(f", tau- at most {limit}")
          if limit else said == "magic parameter 0.1875", said)

# It stays that of the start where the step follows the flow, and in a restart
# then: 0.0375 over 1/2 become 0.0125
setEntry(deep / "constant/transportProperties", "nu", 3.6e-4)
(deep / "system/fvSolution").write_text(
    solution + "\nLBM { refinement 1; referenceVelocity 0.33; }\n")
for entry, value in {"startFrom": "latestTime", "deltaT": 0.05, "endTime": 0.3,
                     "writeControl": "timeStep", "writeInterval": 6}.items():
    setEntry(deep / "system/controlDict", entry, value)
outputs = [mustRun("lbmGpuFoam", deep)]
first = header(deep, "0.3", "largestOddTime")
setEntry(deep / "system/controlDict", "endTime", 0.6)
outputs.append(mustRun("lbmGpuFoam", deep))
check("oddTime.stays", first == header(deep, "0.6", "largestOddTime") == "10"
      and "Lattice step " in outputs[0]
      and ", tau- at most 10" not in outputs[0]
      and ", tau- at most 10" in outputs[1], [o[-2500:] for o in outputs])

# Who gives the spacing chooses the lattice; what is no refinement is refused
(case / "system/fvSolution").write_text(
    solution + "\nLBM { refinement auto; latticeSpacing 0.005; }\n")
output = mustRun("lbmGpuFoam -dry-run", case)
check("spacingGiven", "1 node a cell" in output
      and "    refinement" not in output, output[-1500:])
(case / "system/fvSolution").write_text(solution
                                        + "\nLBM { refinement 0; }\n")
status, output = run("lbmGpuFoam -dry-run", case)
check("refusesRefinement", status != 0 and "1 or more, or auto" in output,
      output[-1500:])

# A collision of three dimensions
for name, entry in (("plane", ""), ("D2Q9", "lattice D2Q9;")):
    (case / "system/fvSolution").write_text(
        solution + f"\nLBM {{ {entry} collision cumulant; }}\n")
    status, output = run("lbmGpuFoam -dry-run", case)
    message = re.sub(r"\s+", " ", output)
    check(f"refusesCumulant.{name}", status != 0
          and "FOAM FATAL IO ERROR" in message
          and ("lattice D2Q9 has no collision cumulant" if entry else
               "collision is cumulant, which is not for the 2 dimensions"
               " of the mesh") in message
          and "(auto BGK TRT MRT recursiveRegularised)" in message,
          output[-1500:])

# A restart keeps the refinement and goes on with the same bits
setEntry(case / "constant/transportProperties", "nu", 2e-4)
(case / "system/fvSolution").write_text(solution)
control = case / "system/controlDict"
setEntry(control, "startFrom", "latestTime")
setEntry(control, "endTime", 0.2)
setEntry(control, "writeFormat", "binary")
mustRun("lbmGpuFoam", case, log="log.whole")
whole = {name: (case / "0.2" / name).read_bytes() for name in ("U", "p")}
for time in times(case):
    if float(time) > 0:
        shutil.rmtree(case / time)
setEntry(control, "endTime", 0.1)
mustRun("lbmGpuFoam", case, log="log.half")
setEntry(control, "endTime", 0.2)
output = mustRun("lbmGpuFoam", case, log="log.restart")
check("restartSameBits", "refinement            4, of the restart data" in output
      and all((case / "0.2" / name).read_bytes() == bits
              for name, bits in whole.items()), output[:4000])

# Beyond what the collision bears, there is a warning that says what does
setEntry(case / "constant/transportProperties", "nu", 1e-4)
(case / "system/fvSolution").write_text(solution + "LBM { collision TRT; }\n")
output = mustRun("lbmGpuFoam -dry-run", case)
check("warning", re.search(r"is 50, above 25\s+collision TRT tends to diverge",
                           output) and "or collision auto." in output,
      output[-1500:])

# A lattice laid over a mesh: 2 while the nodes are few, 4 in a plane above a cell
# Reynolds number of 4 on that
for name, cells, nu, refinement in (
    ("slow", "32 16", 1e-2, 2), ("fast", "32 16", 5e-4, 4),
    ("many", "256 128", 1e-2, 1), ("conforming", "64 16", 1e-2, 1),
):
    c = channel(f"laid.{name}", Uin="type fixedValue; value uniform (1 0 0);",
                cells=cells, nu=nu,
                grading="1 1" if name == "conforming" else "2 1")
    output = mustRun("lbmGpuFoam -dry-run", c)
    found = re.search(r"refinement +(\d)", output)
    check(f"laid.{name}", found and int(found[1]) == refinement,
          output[-1800:])

finish()
