"""Every tutorial runs, its own checks hold, and it leaves its pictures.

Of those that take long, only the first steps without -long: all programs of Allrun
run to their end, and the root mean squares of U and p are recorded ones, to detect
change. Pictures and published values need the complete run.
"""

import math
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None

#: Of taylorGreen [s]
end = "5" if long else "0.5"

# Pictures, lines that Allrun prints, and what it leaves
TUTORIALS = {
    "backwardFacingStep": (
        ["backwardFacingStep.png"],
        ["Erturk (2008)", "icoFoam", "within 0.02"],
        ["40/U", "icoFoam/40/U"],
    ),
    "benardCells": (
        ["benardCells.png"],
        ["Nu ", "buoyantBoussinesqPimpleFoam", "within 10 %"],
        ["1000/T", "1000/p_rgh", "buoyantBoussinesqPimpleFoam/1000/T"],
    ),
    "bloodVessel": (
        ["bloodVessel.png"],
        ["Wall of the vessel over the cycle", "within 0.05", "pimpleFoam"],
        ["0.8/U", "0.8/nu", "0.8/wallShearStressMean"],
    ),
    "cavity": (
        ["cavity.png"],
        ["Field ", "U [m/s]", "p [m2/s2]"],
        ["0.5/U", "icoFoam/0.5/U", "icoFoam/log.icoFoam"],
    ),
    "cavity128": (
        ["cavity128.png"],
        ["Botella & Peyret", "within 0.0045", "within 0.0065"],
        ["60/U"],
    ),
    "channelLES": (
        ["channelLES.png"],
        ["Friction coefficient", "Lee & Moser", "law of the wall"],
        ["60/U", "60/nut", "60/UMean"],
    ),
    "cylinder2D": (
        ["cylinder2D.png", "forces.png"],
        ["Schaefer & Turek", "curved, latticeForceCoeffs", "staircase",
         "as near to these bounds as they should be"],
        ["Re20.curved/8/U", "Re100.staircase/8/p"],
    ),
    "elbow": (
        ["elbow.png"],
        ["Field ", "U [m/s]", "within 0.25"],
        ["10/U", "icoFoam/10/U"],
    ),
    "heatedCavity": (
        ["heatedCavity.png"],
        ["de Vahl Davis", "All within their limits"],
        ["Ra1e4/40/T", "Ra1e4/40/p_rgh"],
    ),
    "paintTunnel": (
        ["before.png", "after.png"],
        ["Drawn: ", "Drag coefficient", "As a wing", "film."],
        ["1.28/U", "1.28/uniform/latticeObstacle",
         "postProcessing/liveView/1.28/drawn.stl"],
    ),
    "porousBlockage": (
        ["porousBlockage.png"],
        ["drag coefficient", "Strouhal number", "within their limits"],
        ["200/U", "postProcessing/forces/0/force.dat"],
    ),
    "poiseuille": (["poiseuille.png"], ["within 1e-12"], ["3/U", "exact/3/U"]),
    "porous": (
        ["porous.png"],
        ["36 discs", "Sangani & Acrivos", "simpleFoam",
         "within their limits"],
        ["array/0.15/U", "pack/0.01/p"],
    ),
    "taylorGreen": (
        ["convergence.png", "taylorGreen.png"],
        ["order", "128 x 128"],
        [f"mesh128/{end}/U", f"mesh32/exact/{end}/p"],
    ),
    "vessel": (
        ["vessel.png"],
        ["Womersley number", "Wall shear stress", "within 0.05"],
        ["0.8/U", "0.8/wallShearStress", "constant/triSurface/vessel.stl"],
    ),
    "windTunnel": (
        ["windTunnel.png"],
        ["Drag coefficient", "latticeForceCoeffs", "Fornberg",
         "within 0.02"],
        ["1/U", "constant/triSurface/body.stl"],
    ),
}

#: What is shortened without -long: entries of controlDict, what is replaced in
#: Allrun, and root mean squares of U and p by case and time
FIRST_STEPS = {
    "backwardFacingStep": (
        {"endTime": 0.4, "writeInterval": 0.4}, {},
        {"0.4": (0.612153, 0.703342), "icoFoam/0.4": (0.611030, 0.854156)},
    ),
    "bloodVessel": (
        {"endTime": 0.02, "writeInterval": 0.02}, {},
        {"0.02": (0.028445, 0.011380), "pimpleFoam/0.02": (0.031173, 0.012469)},
    ),
    "cavity128": (
        {"endTime": 0.5, "writeInterval": 0.5}, {}, {"0.5": (0.11595, 0.015040)},
    ),
    "channelLES": (
        {"endTime": 0.5, "writeInterval": 0.5}, {}, {"0.5": (1.01343, 0.025487)},
    ),
    "cylinder2D": (
        {"endTime": 0.05, "writeInterval": 0.05}, {},
        {"Re20.curved/0.05": (0.197766, 0.021752),
         "Re20.staircase/0.05": (0.197343, 0.011765),
         "Re100.curved/0.05": (1.045209, 0.630363),
         "Re100.staircase/0.05": (1.032306, 0.516637)},
    ),
    "paintTunnel": (
        {"endTime": 0.04, "writeInterval": 0.04}, {},
        {"0.04": (0.995940, 0.180806)},
    ),
    "porous": (
        {"endTime": 0.005, "writeInterval": 0.005},
        {"endTime=0.01 ": "endTime=0.001 ",
         "writeInterval=0.01\n": "writeInterval=0.001\n",
         "endTime=2000 writeInterval=2000": "endTime=20 writeInterval=20"},
        {"array/0.005": (3.55921e-5, 7.35240e-7),
         "array/simpleFoam/20": (1.159204e-4, 1.228265e-6),
         "pack/0.001": (2.676069e-6, 5.15807e-7),
         "pack/simpleFoam/20": (3.121035e-6, 5.584854e-7)},
    ),
    "vessel": (
        {"endTime": 0.02, "writeInterval": 0.02}, {},
        {"0.02": (0.028108, 0.0084387), "pimpleFoam/0.02": (0.028369, 0.0119327)},
    ),
    "windTunnel": (
        {"endTime": 0.04, "writeInterval": 0.04},
        {"endTime=400 writeInterval=400": "endTime=10 writeInterval=10"},
        {"0.04": (0.885218, 0.213234), "simpleFoam/10": (0.865883, 0.187413)},
    ),
}

source = top / "tutorials" / "lbmGpuFoam"
names = sorted(p.parent.name for p in source.glob("*/Allrun"))
check("allAreTested", names == sorted(TUTORIALS), names)

# What is built and the environment are as the tests have them
environment = {"LBMGPUFOAM_READY": "1", "LBMGPUFOAM_DIR": str(top)}


def isPicture(path):
    """Whether a file is a PNG with something on it"""

    reader = vtk.vtkPNGReader()
    if not path.is_file() or not reader.CanReadFile(str(path)):
        return False
    reader.SetFileName(str(path))
    reader.Update()
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    return pixels.std() > 10 and len(set(map(tuple, pixels[::7]))) > 100


def rootMeanSquare(path):
    values = readField(str(path)).internal
    return math.sqrt(np.sum(values**2)/len(values))


def replace(path, replaced):
    text = path.read_text()
    for old, new in replaced.items():
        assert old in text, f"no {old} in {path}"
        text = text.replace(old, new)
    path.write_text(text)


def checkEngines(name):
    """Allrun builds the engines that its runs take, and no other."""
    case = Path(name)
    before = (case / "Allrun").read_text().split('. "${LBMGPUFOAM_DIR')[0]
    (case / "engines").write_text(
        before + '"$LBMGPUFOAM_DIR"/bin/hostEngines\n')
    built = set(run("sh ./engines", case, environment=environment)[1].split())
    (case / "engines").unlink()

    taken = {"/".join(found) for log in case.rglob("log.lbmGpuFoam")
             for found in re.findall(r"^Lattice (\w+), collision .*, precision (\w+)",
                                     log.read_text(), re.M)}
    check(f"{name}.engines", taken and taken == built, f"{taken}, not {built}")


def firstSteps(name):
    """The beginning of a tutorial, in place of all of it."""
    entries, replaced, recorded = FIRST_STEPS[name]
    case = Path(name)
    for entry, value in entries.items():
        setEntry(case / "system/controlDict", entry, value)
    replace(case / "Allrun", replaced)
    if "plot -" in (case / "Allrun").read_text():
        replace(case / "Allrun", {"plot -": ": plot -"})

    # What it evaluates at its end is not there yet
    output = run("./Allrun", case, environment=environment)[1]
    unfinished = [str(log) for log in case.rglob("log.*")
                  if log.name not in ("log.Allrun", "log.Allclean",
                                      "log.compareFields")
                  and "\nEnd" not in log.read_text(errors="replace")]
    check(f"{name}.firstSteps", recorded and not unfinished,
          f"{unfinished} {output[-1000:]}")
    for time, wanted in recorded.items():
        found = [rootMeanSquare(case / time / field) for field in "Up"]
        check(f"{name}.{time.replace('/', '.')}",
              np.allclose(found, wanted, rtol=1e-3, atol=0), f"{found}, not {wanted}")


for name, (pictures, lines, files) in TUTORIALS.items():
    if vtk is None and name == "cavity128":
        skipped(name, "no VTK for python")
        continue

    # As it is in the repository, without results
    case = Path(name)
    shutil.copytree(source / name, case)
    run("./Allclean", case, environment=environment)

    if name in FIRST_STEPS and not ifLong(f"{name}.complete"):
        firstSteps(name)
        checkEngines(name)
        continue
    if name == "taylorGreen" and not ifLong("taylorGreen.at5s"):
        for entry in "endTime", "writeInterval":
            setEntry(case / "system/controlDict", entry, end)
        replace(case / "Allrun", {'exactFlow 5 "U p" exact/5':
                                  f'exactFlow {end} "U p" exact/{end}'})

    status, output = run("./Allrun", case, environment=environment)
    check(name, status == 0,
          f"exit status {status}\n" + "\n".join(output.splitlines()[-15:]))

    checkEngines(name)

    missing = [line for line in lines if line not in output]
    missing += [f for f in files + ["case.foam"] if not (case / f).exists()]
    check(f"{name}.results", not missing, f"missing: {missing}")

    if vtk is None:
        skipped(f"{name}.pictures", "no VTK for python")
    else:
        wrong = [p for p in pictures if not isPicture(case / p)]
        check(f"{name}.pictures", not wrong, f"no picture: {wrong}")

    if name == "cavity":
        # Nothing is run again the second time
        before = (case / "log.lbmGpuFoam").stat().st_mtime_ns
        status, output = run("./Allrun", case, environment=environment)
        check("cavity.secondTime",
              status == 0
              and (case / "log.lbmGpuFoam").stat().st_mtime_ns == before,
              output[-600:])

        # A run that did not come to its end is repeated
        log = case / "log.lbmGpuFoam"
        log.write_text(log.read_text().replace("\nEnd\n", "\n"))
        status, output = run("./Allrun", case, environment=environment)
        check("cavity.afterInterruption",
              status == 0 and "\nEnd\n" in log.read_text(), output[-600:])

        status, output = run("./Allclean", case, environment=environment)
        left = sorted(p.name for p in case.iterdir())
        check("cavity.clean",
              set(left) == {"0.orig", "Allclean", "Allrun", "README.md",
                            "constant", "system", "log.Allclean"},
              left)

finish()
