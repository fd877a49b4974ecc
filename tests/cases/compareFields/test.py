"""compareFields gives the norms, places and exit statuses it should.

The fields are made by hand, with norms that are easily computed.
"""

import csv
import math

from caseTest import *

sys.path.insert(0, str(top / "bin"))
import foamFields  # noqa: E402

HEADER = ("FoamFile {{ version 2.0; format ascii; class dictionary;"
          " object {}; }}\n")


def makeCase(name, blocks, length=4):
    """A box of so many cells, of the length in x and one by one across"""

    case = Path(name)
    (case / "system").mkdir(parents=True)
    (case / "constant").mkdir()
    (case / "system/controlDict").write_text(HEADER.format("controlDict") + """
application none; startFrom startTime; startTime 0; stopAt endTime; endTime 1;
deltaT 1; writeControl timeStep; writeInterval 1; writePrecision 12;
writeFormat ascii; timeFormat general;
""")
    for file in ("fvSchemes", "fvSolution"):
        (case / "system" / file).write_text(HEADER.format(file))
    (case / "system/blockMeshDict").write_text(
        HEADER.format("blockMeshDict") + f"""
scale 1;
vertices ((0 0 0) ({length} 0 0) ({length} 1 0) (0 1 0)
          (0 0 1) ({length} 0 1) ({length} 1 1) (0 1 1));
blocks (hex (0 1 2 3 4 5 6 7) {blocks});
edges ();
boundary ();
mergePatchPairs ();
""")
    mustRun("blockMesh", case)
    return case


def write(case, name, type, values, time="1", dimensions="[0 1 -1 0 0 0 0]"):
    foamFields.writeField(str(case / time / name), name, type, dimensions,
                          values, {"defaultFaces": "type calculated;"})


def compare(*options, status=0, name=None):
    """Run compareFields; returns the rows of its csv file by field"""

    Path("out.csv").unlink(missing_ok=True)
    found, output = run(["compareFields", *options, "-csv", "out.csv"])
    if name:
        check(name, found == status,
              f"exit status {found} instead of {status}: {output[-600:]}")
    if not Path("out.csv").exists():
        return output
    with open("out.csv") as file:
        return {row["field"]: row for row in csv.DictReader(file)}


def checkRow(name, row, **expected):
    wrong = [f"{key} {row[key]} instead of {value}"
             for key, value in expected.items()
             if not abs(float(row[key]) - value) <= 1e-10*max(1, abs(value))]
    check(name, not wrong, "; ".join(wrong))


# Two cells, of the volumes 1 and 3
a, b = (makeCase(name, "(2 1 1) simpleGrading (3 1 1)") for name in "ab")

write(b, "T", "scalar", [2, -1])
write(a, "T", "scalar", [3, -1.5])
write(b, "U", "vector", [[0, 0, 0], [0, 4, 0]])
write(a, "U", "vector", [[0, 0, 0], [3, 8, 0]])
write(b, "R", "symmTensor", [[1, 0, 0, 1, 0, 1]]*2)
write(a, "R", "symmTensor", [[1, 2, 0, 1, 0, 1]]*2)
write(b, "G", "tensor", [[0]*9, [1]*9])
write(a, "G", "tensor", [[0]*9, [1]*8 + [3]])
write(b, "p", "scalar", [1, 5], dimensions="[0 2 -2 0 0 0 0]")
write(a, "p", "scalar", [11, 15], dimensions="[0 2 -2 0 0 0 0]")

rows = compare("-case", "a", "-reference", "b", name="comparesAllFields")
check("findsEveryField", sorted(rows) == ["G", "R", "T", "U", "p"], rows)

checkRow(
    "scalar", rows["T"],
    L1=0.625, L2=math.sqrt(1.75/4), max=1, x=0.5, y=0.5, z=0.5,
    referenceL1=1.25, referenceL2=math.sqrt(7/4), referenceMax=2,
    relativeL1=0.5, relativeL2=0.5, relativeMax=0.5)
checkRow(
    "vector", rows["U"],
    L1=3.75, L2=math.sqrt(0.75)*5, max=5, x=2.5, referenceMax=4,
    relativeMax=1.25)
# Off-diagonal components of a symmetric tensor count twice
checkRow("symmTensor", rows["R"], L1=math.sqrt(8), max=math.sqrt(8),
         referenceL1=math.sqrt(3))
checkRow("tensor", rows["G"], L1=1.5, L2=math.sqrt(3), max=2, referenceMax=3)
check("units", rows["U"]["unit"] == "m/s" and rows["p"]["unit"] == "m2/s2",
      rows["U"]["unit"] + " " + rows["p"]["unit"])

checkRow("constantDifference", rows["p"], L1=10, L2=10, max=10, relativeL1=2.5)
rows = compare("-case", "a", "-reference", "b", "-fields", "p",
               "-removeMean", "p", name="selectsFields")
# Without their mean (4) both are (-3, 1)
checkRow("removesMean", rows["p"], L1=0, max=0, referenceL1=1.5,
         referenceMax=3)

# Exit statuses; the relative L2 difference of T is 0.5, that of U 1.25
pair = ["-case", "a", "-reference", "b"]
compare(*pair, "-tolerance", "(T 0.51 U 1.26)", name="withinTolerance")
compare(*pair, "-tolerance", "(T 0.49 U 1.26)", status=1,
        name="exceedsTolerance")
compare(*pair, "-fields", "(T U)", "-tolerance", "1.26", name="oneTolerance")
compare(*pair, "-tolerance", '("[TU]" 1.2)', status=1, name="regexTolerance")
compare(*pair, "-tolerance", "(T 0.99)", "-norm", "max", "-absolute",
        status=1, name="absoluteMaximum")
compare(*pair, "-tolerance", "(T 1.01)", "-norm", "max", "-absolute",
        name="absoluteMaximumWithin")
compare(*pair, "-tolerance", "(q 1)", status=2, name="refusesUnknownTolerance")
compare(*pair, "-norm", "L3", status=2, name="refusesUnknownNorm")
compare(*pair, "-fields", "(T q)", status=2, name="refusesMissingField")
compare(*pair, "-time", "7", status=2, name="refusesMissingTime")
compare("-case", "a", status=2, name="refusesNoReference")
compare("-case", "a", "-reference", "nowhere", status=2, name="refusesNoCase")
compare("-case", "a", "-referense", "b", status=2, name="refusesUnknownOption")

# A value that is not a number must not pass
write(a, "N", "scalar", [1, 2])
write(b, "N", "scalar", [1, 2])
file = a / "1/N"
text = file.read_text()
at = text.index("2\n(\n1\n2\n)")
data = bytearray(text.replace("ascii", "binary").encode())
at = data.index(b"2\n(\n1\n2\n)")
data[at:at + 9] = b"2\n(" + b"\0"*6 + b"\xf0\x3f" + b"\0"*6 + b"\xf8\x7f" + b")"
file.write_bytes(data)
rows = compare(*pair, "-fields", "N", "-tolerance", "1e9", status=1,
               name="exceedsForNotANumber")
check("placeOfNotANumber", float(rows["N"]["x"]) == 2.5, rows)

# Two times of one case
write(a, "T", "scalar", [1, -1.5], time="2")
rows = compare("-case", "a", "-fields", "T", "-time", "2", "-referenceTime",
               "firstTime", name="comparesTimes")
checkRow("timesOfOneCase", rows["T"], max=2, referenceMax=3, L1=0.5)
rows = compare(*pair, "-fields", "T")
check("latestCommonTime", rows["T"]["time"] == "1", rows)

# Different dimensions and types
write(b, "D", "scalar", [1, 1], dimensions="[0 0 0 0 0 0 0]")
write(a, "D", "scalar", [1, 1])
compare(*pair, "-fields", "D", status=2, name="refusesOtherDimensions")
(a / "1/D").unlink()
write(a, "D", "vector", [[1, 1, 1]]*2)
compare(*pair, "-fields", "D", status=2, name="refusesOtherType")

# Different meshes: two cells of the volume 2, eight of 0.5
c = makeCase("c", "(2 1 1) simpleGrading (1 1 1)")
f = makeCase("f", "(8 1 1) simpleGrading (1 1 1)")
write(c, "T", "scalar", [2.5, 7.5])
write(f, "T", "scalar", [1, 2, 3, 4, 5, 6, 7, 9])

output = compare("-case", "c", "-reference", "f", status=2,
                 name="refusesOtherMesh")
check("namesMapped", "-mapped" in output, output)
output = compare(*["-case", "c", "-reference", "b"], status=2,
                 name="refusesOtherCells")

for case, reference in ("cf", "fc"):
    rows = compare("-case", case, "-reference", reference, "-mapped",
                   name=f"maps_{case}_{reference}")
    # Means of four cells: 2.5 and 6.75, on the coarser of the meshes
    checkRow(f"mapsToCoarser_{case}_{reference}", rows["T"], cells=2,
             L1=0.375, max=0.75, x=3, referenceMax=7.5 if case == "f" else 6.75)

# Half of it: the rest of the other mesh has nothing to compare with
h = makeCase("h", "(4 1 1) simpleGrading (1 1 1)", length=2)
write(h, "T", "scalar", [1, 1, 1, 2])
rows = compare("-case", "h", "-reference", "f", "-mapped", name="mapsPart")
checkRow("mapsToOverlap", rows["T"], cells=4, max=2)
rows = compare("-case", "f", "-reference", "h", "-mapped",
               "-fields", "T", name="mapsToPart")
checkRow("overlapIsSymmetric", rows["T"], cells=4, max=2, referenceMax=2)

finish()
