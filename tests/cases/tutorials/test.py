"""Every tutorial runs, its own checks hold, and it leaves its pictures."""

from caseTest import *

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None

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
        ["mesh128/5/U", "mesh32/exact/5/p"],
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


for name, (pictures, lines, files) in TUTORIALS.items():
    if vtk is None and name == "cavity128":
        skipped(name, "no VTK for python")
        continue

    # As it is in the repository, without results
    case = Path(name)
    shutil.copytree(source / name, case)
    run("./Allclean", case, environment=environment)

    status, output = run("./Allrun", case, environment=environment)
    check(name, status == 0,
          f"exit status {status}\n" + "\n".join(output.splitlines()[-15:]))

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
