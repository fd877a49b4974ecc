"""Restart: a run that stops and continues gives the same bits as one that
never stopped; without usable populations it starts from U and p, says so and
says why.
"""

import re
import shutil
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField


def prepare(name, LBM="", **entries):
    """The cavity with 20 steps of deltaT and a directory at half of them."""
    case = copyCase("cavity", name)
    mustRun("blockMesh", case)
    control = {"startFrom": "latestTime", "endTime": 0.1, "writeInterval": 10,
               **entries}
    for entry, value in control.items():
        setEntry(case / "system/controlDict", entry, value)
    if LBM:
        (case / "system/fvSolution").open("a").write(f"\nLBM {{ {LBM} }}\n")
    return case


def solve(case, **entries):
    for entry, value in entries.items():
        setEntry(case / "system/controlDict", entry, value)
    return mustRun("lbmGpuFoam", case)


def copyOf(case, name, *keep):
    """Copy with these times alone."""
    shutil.rmtree(name, ignore_errors=True)
    target = Path(shutil.copytree(case, name))
    for time in times(target):
        if time not in ("0", *keep):
            shutil.rmtree(target / time)
    return target


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


def populations(case, time):
    return case / time / "uniform" / "latticePopulations"


def relative(a, b):
    return np.abs(a - b).max()/np.abs(b).max()


# The same bits

for precision in ("single", "double"):
    for form in ("ascii", "binary"):
        name = f"{precision}-{form}"
        LBM = f"precision {precision};"

        whole = prepare(f"whole-{name}", LBM, writeFormat=form)
        output = solve(whole)
        check(f"firstStartIsConsistent-{name}",
              "Consistent start from U and p" in output, output[-2000:])

        # U, p and phi of 400 cells and 760 faces; 9 populations of 400 nodes
        fields = 8*(4*400 + 760)
        kept = 9*400*(4 if precision == "single" else 8)
        onDevice = "more of the device" in output
        printed = re.search(r"([\d.]+) B a cell, while a time", output)
        check(f"memoryOfAWrite-{name}",
              printed and relative(
                  float(printed.group(1))*400,
                  np.array(fields + (0 if onDevice else kept))) < 1e-3
              and (not onDevice
                   or f"and {kept/1000:.4g} kB more" in output),
              output[:3000])

        split = prepare(f"split-{name}", LBM, writeFormat=form)
        solve(split, endTime=0.05)
        output = solve(split, endTime=0.1)

        check(f"restartSaysSo-{name}",
              "Restarting from the populations of time 0.05" in output,
              output[-2000:])

        one, other = files(whole / "0.1"), files(split / "0.1")
        differ = [n for n in sorted({*one, *other})
                  if one.get(n) != other.get(n)]
        check(
            f"sameBits-{name}",
            not differ and {"U", "p", "phi", "uniform/latticePopulations"}
            <= set(one),
            f"files {sorted(one)}, different {differ}",
        )

# Restarted later than at a write of the first run, with another interval
split = prepare("threeParts", "precision single;", writeInterval=4)
for end in (0.02, 0.06, 0.1):
    solve(split, endTime=end)
whole = prepare("wholeAgain", "precision single;", writeInterval=10)
solve(whole)
check("threePartsSameBits",
      populations(split, "0.1").read_bytes()
      == populations(whole, "0.1").read_bytes(), "populations differ")

# A deltaT twice as large has the same lattice step
case = copyOf(whole, "largerDeltaT", "0.05")
output = solve(case, deltaT=0.01, writeInterval=5)
check("anotherDeltaTSameLatticeStep",
      "Restarting from the populations" in output, output[-2000:])
a = populations(case, "0.1").read_bytes().split(b"\ndata\n")[1]
b = populations(whole, "0.1").read_bytes().split(b"\ndata\n")[1]
check("anotherDeltaTSameBits", a == b, "populations differ")

# From U and p alone: close, and it says so

double = prepare("double", "precision double; writtenFields lattice;",
                 writePrecision=12)
solve(double)
UWhole = readField(str(double / "0.1/U")).internal
pWhole = readField(str(double / "0.1/p")).internal


def close(case, name):
    U = readField(str(case / "0.1/U")).internal
    p = readField(str(case / "0.1/p")).internal
    errorU, errorp = relative(U, UWhole), relative(p, pWhole)
    # Measured: U 2.1e-5, p 2.2e-5
    check(f"{name}IsClose", errorU < 3e-5 and errorp < 3e-5,
          f"U differs by {errorU:.3g}, p by {errorp:.3g} of the largest")


def refused(name, why, damage=None, **entries):
    """Damage the restart data: the log must say why they are not used."""
    case = copyOf(double, name, "0.05")
    if damage:
        damage(case)
    output = solve(case, **entries)
    lines = re.search(r"Consistent start from U and p.*\n.*", output)
    check(
        f"{name}SaysWhy",
        lines and re.search(why, lines[0]) and "Restarting" not in output,
        lines[0] if lines else output[-2000:],
    )
    return case


def change(edit):
    def damage(case):
        path = populations(case, "0.05")
        path.write_bytes(edit(path.read_bytes()))
    return damage


def flip(data):
    at = data.index(b"\ndata\n") + 1000
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def LBM(text):
    def damage(case):
        path = case / "system/fvSolution"
        path.write_text(re.sub(r"\nLBM.*", f"\nLBM {{ {text} }}\n",
                               path.read_text()))
    return damage


fromFields = refused("withoutPopulations", "there are none",
                     lambda case: populations(case, "0.05").unlink())
close(fromFields, "withoutPopulations")
reference = (fromFields / "0.1/U").read_bytes()

for name, why, edit in (
    ("truncated", "damaged: the file ends too early", lambda d: d[:-2000]),
    ("emptyFile", "damaged: no header", lambda d: b""),
    ("noise", "damaged: no header", lambda d: bytes(range(256))*100),
    ("oneBit", "damaged: the checksum differs", flip),
    ("headerCut", "damaged", lambda d: d.replace(b"nodes", b"n}{es", 1)),
    ("entryGone", "damaged: the checksum of the header differs",
     lambda d: d.replace(b"massStart", b"massStrat", 1)),
    ("headerNumber", "damaged: the checksum of the header differs",
     lambda d: re.sub(rb"(\nlatticeStep\s+)\d", rb"\g<1>7", d, 1)),
    ("headerSteps", "damaged: the checksum of the header differs",
     lambda d: re.sub(rb'(\nlatticeSteps\s+")\d', rb"\g<1>9", d, 1)),
    ("headerChecksum", "damaged: the checksum of the header differs",
     lambda d: re.sub(rb'(\nheaderChecksum\s+").', rb"\g<1>x", d, 1)),
    ("anotherVersion", "format has version 7",
     lambda d: re.sub(rb"formatVersion\s+2;", b"formatVersion 7;", d, 1)),
):
    case = refused(name, why, change(edit))
    check(f"{name}AsFromFields", (case / "0.1/U").read_bytes() == reference,
          "U differs from a start from U and p")

refused("otherPrecision", "precision is double, not single",
        LBM("precision single;"))
refused("otherRefinement", "other nodes",
        LBM("precision double; refinement 2;"))
refused("otherMach", "lattice step is", LBM("precision double; maxMach 0.05;"))
refused("otherViscosity", "viscosity is 0.01, not 0.02", lambda case: setEntry(
    case / "constant/transportProperties", "nu", 0.02))

# Fields that were changed since, as setFields does
def otherU(case):
    path = case / "0.05/U"
    field = readField(str(path)).internal
    text = path.read_text()
    start = text.index("(", text.index("internalField")) + 1
    rows = "\n".join(f"({2*u[0]:.6g} {2*u[1]:.6g} 0)" for u in field)
    end = text.index("\n)\n", start)
    path.write_text(text[:start] + "\n" + rows + text[end:])


refused("changedFields", "U or p of this time have been changed", otherU)

# Few digits are no change, not even of a p far from zero, nor is another
# reference pressure
case = prepare("fewDigits", writePrecision=4, endTime=0.05)
setEntry(case / "system/fvSolution", "PISO/pRefValue", 1e5)
solve(case)
setEntry(case / "system/fvSolution", "PISO/pRefValue", 7)
output = solve(case, endTime=0.1)
check("fewDigitsAreNoChange", "Restarting from the populations" in output,
      output[-1500:])

# An inlet that has been changed since counts: the populations go on with another
# step, and the Mach number is what it may be
for name, more in (("adaptive", ""), ("fixed", "adaptiveStep no;")):
    case = prepare("fasterWall-" + name, "maxMach 0.1; " + more, endTime=0.05)
    solve(case)
    path = case / "0.05/U"
    path.write_text(path.read_text().replace("uniform (1 0 0)",
                                             "uniform (1.7 0 0)"))
    output = solve(case, endTime=0.1)
    mach = [float(m) for m in re.findall(r"largest Mach (\S+),", output)]
    check(f"fasterWallIsLookedAt-{name}",
          "Restarting from the populations" in output
          and "reference velocity    1.7 m/s, largest speed at the boundary, "
              "patch movingWall, more than before" in output
          and "30 per deltaT in place of 18" in output
          and mach and max(mach) < 0.1,
          output[:3000])

# restartData off: neither read nor written
case = refused("restartDataOff", "restartData is off",
               LBM("precision double; restartData false;"))
check("restartDataOffWritesNone", not populations(case, "0.1").exists(),
      "0.1/uniform/latticePopulations was written")

finish()
