"""Every tutorial runs, its own checks hold, and it leaves its pictures."""

from caseTest import *

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None

# Pictures, lines that Allrun prints, and what it leaves
TUTORIALS = {
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
    "poiseuille": (["poiseuille.png"], ["within 1e-12"], ["3/U", "exact/3/U"]),
    "taylorGreen": (
        ["convergence.png", "taylorGreen.png"],
        ["order", "128 x 128"],
        ["mesh128/5/U", "mesh32/exact/5/p"],
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
    shutil.copytree(
        source / name, case, ignore=lambda folder, found: [
            f for f in found
            if f.startswith(("log.", "mesh")) or re.fullmatch(r"[\d.]+", f)
            or f in ("icoFoam", "exact", "polyMesh", "case.foam")
            or f.endswith((".png", ".csv"))])

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
