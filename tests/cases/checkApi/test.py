"""bin/checkApi compiles our sources against the headers it is given, and says
which fail. The headers of a changed version are those of this one with one
header replaced.
"""

import shutil

from caseTest import *

here = Path.cwd()
openfoam = Path(os.environ["WM_PROJECT_DIR"])
SOURCE = "utilities/compareFields/caseTime.C"


def checkApi(*arguments):
    """Exit status, and the lines that it printed"""

    status, output = run([str(top / "bin/checkApi"), *map(str, arguments)])
    return status, output.splitlines()


def changed(name, header, text):
    """Sources of OpenFOAM, linked, with another text of one header"""

    tree = here / name
    shutil.rmtree(tree, ignore_errors=True)
    (tree / "META-INFO").mkdir(parents=True)
    (tree / "META-INFO/api-info").write_text("api=9912\npatch=0\n")
    (tree / "wmake").symlink_to(openfoam / "wmake")
    (tree / "src/OpenFOAM/lnInclude").mkdir(parents=True)
    for part in (openfoam / "src").iterdir():
        if part.name != "OpenFOAM":
            (tree / "src" / part.name).symlink_to(part)
    for file in (openfoam / "src/OpenFOAM/lnInclude").iterdir():
        (tree / "src/OpenFOAM/lnInclude" / file.name).symlink_to(
            file.resolve())
    target = tree / "src/OpenFOAM/lnInclude" / header
    assert target.is_symlink()
    target.unlink()
    target.write_text(text)
    return tree


status, lines = checkApi(openfoam, SOURCE)
version = re.search(r"api=(\d+)",
                    (openfoam / "META-INFO/api-info").read_text())[1]
check("thisVersion",
      (status, lines) == (0, [f"v{version}: 1 compiled, 0 failed"]),
      (status, lines))

# A header that has gone, and a function that has
for name, text, message in (
    ("headerGone", "#error gone\n", "#error gone"),
    ("typeGone", '#include "IOdictionary.H"\n',
     "localIOdictionary"),
):
    status, lines = checkApi(
        changed(name, "localIOdictionary.H", text),
        "utilities/compareFields/compareFields.C")
    check(
        name,
        status == 1
        and lines[0] == "utilities/compareFields/compareFields.C"
        and message in lines[1]
        and lines[2:] == ["v9912: 0 compiled, 1 failed"],
        (status, lines))

status, lines = checkApi(openfoam, "noSuchSource")
check("nothingCompiled",
      (status, lines) == (1, [f"v{version}: 0 compiled, 0 failed"]),
      (status, lines))

for name, arguments, message in (
    ("noSource", (), "no OpenFOAM source is given"),
    ("notOpenFoam", (here,), f"src/OpenFOAM in '{here}'"),
    ("twoNames", (openfoam, "a", "b"), "found 'b' after 'a'"),
    ("badJobs", ("-jobs", "0", openfoam), "found '0'"),
):
    status, lines = checkApi(*arguments)
    check(name, status == 2 and message in lines[0], (status, lines))

finish()
