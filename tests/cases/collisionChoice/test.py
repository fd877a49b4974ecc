"""The collision and the refinement that auto takes: TRT at a small cell
Reynolds number; a finer lattice above, while its nodes are few; the regularised
one where that does not do; and what the user asks for.
"""

import re

from caseTest import *

case = copyCase("cavity", "case")
mustRun("blockMesh", case)
solution = (case / "system/fvSolution").read_text()

# The lid moves at 1 m/s over cells of 5 mm: 8 is at nu = 6.25e-4 m2/s
for name, nu, entry, collision, reason in (
    ("small", 6.26e-4, "", "TRT", "7.98722, at most 8: collision TRT"),
    ("large", 6.24e-4, "refinement 1;", "recursiveRegularised",
     "8.01282, above 8: collision recursiveRegularised"),
    ("refined", 6.24e-4, "", "TRT",
     "4.00641, at most 8: collision TRT\n"
     "    refinement            2, cell Reynolds number 8.01282 with 1"),
    ("refinedTwice", 2e-4, "refinement auto;", "TRT",
     "6.25, at most 8: collision TRT\n"
     "    refinement            4, cell Reynolds number 25 with 1"),
    ("asked", 1e-5, "collision auto;", "recursiveRegularised",
     "125, above 8: collision recursiveRegularised\n"
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

# Beyond what the collision bears, there is a warning that says what does
setEntry(case / "constant/transportProperties", "nu", 1e-4)
(case / "system/fvSolution").write_text(solution + "LBM { collision TRT; }\n")
output = mustRun("lbmGpuFoam -dry-run", case)
check("warning", re.search(r"is 50, above 25\s+collision TRT tends to diverge",
                           output) and "or collision auto." in output,
      output[-1500:])

finish()
