"""Several devices: a lattice in parts has the bits of the whole, in its fields,
populations, forces, with feedback of its sums, and over a restart with another
number of parts. The host has as many parts as devices are given.
"""

import re
import shutil

from channelCase import *


def results(case):
    """Fields and populations of the latest time, and the forces"""
    time = times(case)[-1]
    found = {name: (case / time / name).read_bytes()
             for name in ("U", "p", "phi")}
    found["populations"] = populations(case, time)
    for path in sorted((case / "postProcessing").rglob("*.dat")):
        found[str(path.relative_to(case))] = path.read_bytes()
    return found


def setLBM(case, entries):
    """Give entries in place of those of LBM that are there"""
    path = case / "system/fvSolution"
    text = re.sub(r"\nLBM\s*\{.*?\n?\}\n", "\n", path.read_text(), flags=re.S)
    path.write_text(text + f"\nLBM {{ backend host; {entries} }}\n")


def compare(case, entries, devices):
    """Run a case with one device and with each of several lists of them"""
    whole = None
    for device in ("0", *devices):
        setLBM(case, f"{entries} device {device};")
        for time in times(case):
            if float(time) > 0:
                shutil.rmtree(case / time)
        shutil.rmtree(case / "postProcessing", ignore_errors=True)
        output = mustRun("lbmGpuFoam", case, log="log." + device)
        if whole is None:
            whole = results(case)
            check(case.name + ".one", "Parts of the lattice" not in output,
                  output[-1500:])
            continue
        now = results(case)
        n = len(device.strip("()").split())
        shares = re.findall(r"^    \d+: (\d+) nodes, \d+ links to boundaries,"
                            r" (\d+) to other parts", output, re.M)
        check(f"{case.name}.shares{n}", len(shares) == n
              and all(int(links) > 0 for nodes, links in shares), output)
        check(f"{case.name}.sameBits{n}", now == whole,
              [name for name in whole if now.get(name) != whole[name]])


def latest(case, **entries):
    for entry, value in {"writeFormat": "binary", "startFrom": "latestTime",
                         **entries}.items():
        setEntry(case / "system/controlDict", entry, value)


# Walls and a lid

case = copyCase("cavity", "cavity")
mustRun("blockMesh", case)
latest(case, endTime=0.1, writeInterval=20)
compare(case, "", ("(0 0)", "(0 0 0)"))

# Periodic, and driven to a mean velocity: the sums feed back

case = channel("cyclic", precision=12, endTime=0.2, writeInterval=20)
(case / "constant/fvOptions").write_text(
    HEADER.format("dictionary", "fvOptions")
    + "drive { type meanVelocityForce; selectionMode all; fields (U);"
    " Ubar (0.1 0 0); relaxation 0.9; }\n")
latest(case)
compare(case, "precision double;", ("(0 0 0)",))

# An inlet, an outlet and curved walls, with their forces; as a list

case = copyCase("cylinder2D", "cylinder")
mustRun("blockMesh", case)
latest(case, endTime=0.1, writeInterval=0.1, writeControl="runTime")
compare(case, "latticeSpacing 0.01; layout list;", ("(0 0)", "(0 0 0)"))

# In three dimensions, and on from the populations of another number of parts

case = copyCase("cavity", "box")
mesh = case / "system/blockMeshDict"
mesh.write_text(mesh.read_text().replace("(20 20 1)", "(12 12 10)")
                .replace("empty", "wall")
                .replace(" 0.1)", " 0.8)"))
for field, condition in (("U", "noSlip"), ("p", "zeroGradient")):
    path = case / "0" / field
    path.write_text(path.read_text().replace("empty", condition))
mustRun("blockMesh", case)
latest(case, endTime=0.1, writeInterval=10)
compare(case, "precision half; lattice D3Q27; refinement 1;", ("(0 0 0)",))
whole = results(case)
for time in times(case):
    if float(time) > 0.05:
        shutil.rmtree(case / time)
setLBM(case, "precision half; lattice D3Q27; refinement 1; device (0 0);")
output = mustRun("lbmGpuFoam", case, log="log.restart")
check("restart.sameBits", results(case) == whole and "\nTime = 0.055\n" in output
      and "\nTime = 0.05\n" not in output, output[:3000])

# What is no list of devices, and more parts than there are planes

for name, device, message in (
    ("negative", "(0 -1)", "a number, 0 or more, a list of such numbers, or auto"),
    ("empty", "()", "a number, 0 or more, a list of such numbers, or auto"),
    ("many", "(" + 20*"0 " + ")", "cannot be cut into 20 slabs"),
):
    setLBM(case, f"refinement 1; device {device};")
    status, output = run("lbmGpuFoam -dry-run", case)
    check("refuses." + name, status != 0 and message in output, output[-1500:])

finish()
