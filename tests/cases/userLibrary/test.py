"""A library of the user's adds the treatment of a patch, without a change of the
solver: partialSlip, see doc/developer/extending.md.

Couette flow over a wall of partial slip. With the fraction f, OpenFOAM gives the
wall (1 - f) times the velocity of its cells, h/2 away, so that the flow is linear
and reaches zero at (1 - f)/f h/2 behind the wall.
"""

from caseTest import *
from channelCase import channel

import numpy as np

sys.path.insert(0, str(top / "bin"))
from foamFields import readField

HEIGHT, CELLS = 0.1, 16
LIBRARY = Path("libpartialSlipPatch.so").resolve()


def build():
    source = top / "doc/developer/partialSlipPatch"
    shutil.copytree(source, "partialSlipPatch",
                    ignore=shutil.ignore_patterns("linux*", "darwin*"))
    files = Path("partialSlipPatch/Make/files")
    text = files.read_text()
    assert "$(FOAM_USER_LIBBIN)/libpartialSlipPatch" in text
    files.write_text(text.replace("$(FOAM_USER_LIBBIN)/libpartialSlipPatch",
                                  str(LIBRARY.with_suffix(""))))
    process = subprocess.run(["wmake", "-s", "libso", "partialSlipPatch"],
                             text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
    print(process.stdout)
    check("builds", process.returncode == 0 and LIBRARY.is_file(),
          process.stdout[-1500:])
    check("noWarning", "warning" not in process.stdout,
          process.stdout[:1500])


def couette(name, fraction, cells=4):
    """Moves above at 1 m/s, slips below."""
    case = channel(name, cells=f"{cells} {CELLS}", endTime=8,
                   writeInterval=800)
    mesh = case / "system/blockMeshDict"
    mesh.write_text(mesh.read_text().replace(
        "walls { type wall; faces ((3 7 6 2) (1 5 4 0)); }",
        "top { type wall; faces ((3 7 6 2)); }"
        " bottom { type wall; faces ((1 5 4 0)); }"))
    mustRun("blockMesh", case)
    for field, top_, bottom in (
            ("U", "type fixedValue; value uniform (1 0 0);",
             f"type partialSlip; valueFraction uniform {fraction};"),
            ("p", "type zeroGradient;", "type zeroGradient;")):
        file = case / "0" / field
        text = file.read_text()
        wall = re.search(r"walls \{[^}]*\}", text).group(0)
        file.write_text(text.replace(
            wall, f"top {{ {top_} }} bottom {{ {bottom} }}"))
    return case


def withLibrary(case):
    control = case / "system/controlDict"
    control.open("a").write(f'\nlibs ("{LIBRARY}");\n')
    return case


def profile(case):
    """U_x of the cells at the last time, [CELLS][cells along]."""
    U = readField(str(case / times(case)[-1] / "U")).internal
    return np.asarray(U)[:, 0].reshape(CELLS, -1)


if not shutil.which("wmake"):
    skipped("builds", "no wmake")
    finish()

build()

# Without it the solver refuses the patch, as it says
status, output = run("lbmGpuFoam", couette("without", 0.5))
check("refusedWithout", status != 0 and "partialSlip" in output
      and "no treatment" in output, output[-600:])

h = HEIGHT/CELLS
y = (np.arange(CELLS)[:, None] + 0.5)*h

# Laid over the mesh, and of its cells
for fraction, cells in ((1, 4), (0.5, 4), (0.05, 4), (0.05, 64)):
    name = f"fraction{fraction}.{cells}"
    case = withLibrary(couette(name, fraction, cells))
    output = mustRun("lbmGpuFoam", case)
    links = re.search(r"bottom: +\d+ (\w+)", output)
    check(f"{name}.linksOfIt", links and links.group(1) == "velocity", links)
    slip = (1 - fraction)/fraction*h/2
    exact = (slip + y)/(slip + HEIGHT)
    error = abs(profile(case) - exact).max()
    check(f"{name}.isExact", error < 5e-5, error)

finish()
