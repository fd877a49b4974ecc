"""Damage that needs to know what files mean: patches of another type or of no
size, open meshes, values that are not numbers in binary.

DAMAGES: name -> (case, what to do with its folder, what the refusal must
name). In place of the names, RUNS: the case runs on as if undamaged.
"""

import re
import struct
import subprocess

import cases

RUNS = "runs"


def patchField(field, patch, text):
    def do(folder):
        path = folder/"0"/field
        old = path.read_text()
        new = re.sub(rf"(?m)^(    {patch}\n    {{)[^}}]*}}", rf"\1 {text} }}",
                     old)
        assert new != old
        path.write_text(new)
    return do


def both(*some):
    def do(folder):
        for one in some:
            one(folder)
    return do


def meshList(folder, name):
    """(what stands before, the elements, what stands after) of a list"""

    text = (folder/"constant/polyMesh"/name).read_text()
    match = re.compile(r"\n\d+\s*\n\(\n(.*?)\n\)\n", re.S).search(text)
    return text, match.span(), match[1].split("\n")


def setMeshList(folder, name, text, span, elements):
    (folder/"constant/polyMesh"/name).write_text(
        text[:span[0]] + f"\n{len(elements)}\n(\n" + "\n".join(elements)
        + "\n)\n" + text[span[1]:])


def openMesh(patch):
    """Leave out the last face of a patch"""

    def do(folder):
        path = folder/"constant/polyMesh/boundary"
        text = path.read_text()
        match = re.search(
            rf"\b{patch}\s*{{[^}}]*nFaces\s+(\d+);\s*startFace\s+(\d+);", text)
        gone = int(match[1]) + int(match[2]) - 1

        def shifted(m):
            start = int(m[4])
            size = int(m[2]) - (start <= gone < start + int(m[2]))
            return f"{m[1]}{size}{m[3]}{start - (start > gone)};"

        path.write_text(re.sub(
            r"(nFaces\s+)(\d+)(;\s*startFace\s+)(\d+);", shifted, text))
        for name in ("faces", "owner"):
            content, span, elements = meshList(folder, name)
            del elements[gone]
            setMeshList(folder, name, content, span, elements)
    return do


def points(change):
    def do(folder):
        content, span, elements = meshList(folder, "points")
        values = [[float(x) for x in e.strip("()").split()] for e in elements]
        change(values)
        setMeshList(folder, "points", content, span,
                    ["(%.12g %.12g %.12g)" % tuple(v) for v in values])
    return do


def mirrored(values):
    for v in values:
        v[0] = -v[0]


def flat(values):
    for v in values:
        v[2] = 0


def collapsed(values):
    """All points of a column of cells on one line"""

    xs = sorted({round(v[0], 9) for v in values})
    for v in values:
        if round(v[0], 9) == xs[1]:
            v[0] = xs[0]


def noFaces(U, p):
    """A patch more, without faces"""

    def do(folder):
        path = folder/"constant/polyMesh/boundary"
        text = path.read_text()
        n = int(re.search(r"\n(\d+)\s*\n\(", text)[1])
        end = max(int(a) + int(b) for a, b in re.findall(
            r"nFaces\s+(\d+);\s*startFace\s+(\d+);", text))
        text = text.replace(f"\n{n}\n(", f"\n{n + 1}\n(", 1)
        at = text.rindex(")")
        path.write_text(
            text[:at] + f"    nowhere {{ type patch; nFaces 0; startFace {end};"
            " }\n" + text[at:])
        for field, condition in (("U", U), ("p", p)):
            if condition:
                file = folder/"0"/field
                old = file.read_text()
                file.write_text(old.replace(
                    "boundaryField\n{", "boundaryField\n{\n    nowhere { "
                    + condition + " }", 1))
    return do


def withoutFaces(patch, other):
    """The faces of a patch go to the one that follows or precedes it"""

    def do(folder):
        path = folder/"constant/polyMesh/boundary"
        text = path.read_text()
        pattern = r"\b%s\s*{[^}]*nFaces\s+(\d+);\s*startFace\s+(\d+);"
        n, start = map(int, re.search(pattern % patch, text).groups())
        m, first = map(int, re.search(pattern % other, text).groups())

        def resized(name, size, begin):
            nonlocal text
            text = re.sub(
                rf"(\b{name}\s*{{[^}}]*nFaces\s+)\d+(;\s*startFace\s+)\d+",
                rf"\g<1>{size}\g<2>{begin}", text)

        resized(patch, 0, start if start < first else first + m + n)
        resized(other, n + m, min(start, first))
        path.write_text(text)
    return do


def binary(values, count=None):
    """The internal field of U in binary, with these values in cell 5"""

    def do(folder):
        path = folder/"0/U"
        cells = int(re.search(
            r"nCells:\s*(\d+)",
            (folder/"constant/polyMesh/owner").read_text())[1])
        content = [[0.0, 0.0, 0.0] for _ in range(cells)]
        content[5] = list(values)
        data = b"".join(struct.pack("<3d", *v) for v in content)
        text = path.read_text().replace(
            "format      ascii", "format      binary").encode()
        if count is not None:
            data = data[:count]
        path.write_bytes(text.replace(
            b"uniform (0 0 0);",
            b"nonuniform List<vector> %d(" % cells + data + b");", 1))
    return do


WALL = "type noSlip;"
FIXED_P = "type fixedValue; value uniform 0;"
ZERO_GRADIENT = "type zeroGradient;"

nan = float("nan")
inf = float("inf")

DAMAGES = {
    # Patches of another type
    "velocityAndPressureFixed": (
        "channel", patchField("p", "inlet", FIXED_P), ["inlet"]),
    "nothingFixed": (
        "channel", patchField("p", "outlet", ZERO_GRADIENT), ["outlet"]),
    "moreInThanOut": (
        "channel", both(
            patchField("U", "outlet", "type fixedValue; value uniform (2 0 0);"),
            patchField("p", "outlet", ZERO_GRADIENT)),
        ["inlet", "outlet", "0/U"]),
    "onlyIn": (
        "channel", both(patchField("U", "outlet", WALL),
                        patchField("p", "outlet", ZERO_GRADIENT)),
        ["inlet", "0/U"]),
    "wallWithoutVelocity": (
        "channel", patchField("U", "bottom", ZERO_GRADIENT), ["bottom"]),
    "slipWithPressure": (
        "channel", patchField("p", "top", FIXED_P), ["top"]),
    "slipInPressureOnly": (
        "channel", patchField("U", "top", ZERO_GRADIENT), ["top"]),
    "emptyInsteadOfWall": (
        "channel", both(patchField("U", "bottom", "type empty;"),
                        patchField("p", "bottom", "type empty;")),
        ["bottom"]),
    "wallInsteadOfEmpty": (
        "cavity", both(patchField("U", "frontAndBack", WALL),
                       patchField("p", "frontAndBack", ZERO_GRADIENT)),
        ["frontAndBack"]),
    "calculated": (
        "channel", patchField("U", "inlet",
                              "type calculated; value uniform (1 0 0);"),
        ["inlet"]),
    "cyclicOnNoCyclicPatch": (
        "channel", both(patchField("U", "inlet", "type cyclic;"),
                        patchField("p", "inlet", "type cyclic;")),
        ["inlet"]),
    "fixedGradientVelocity": (
        "channel", patchField("U", "outlet",
                              "type fixedGradient; gradient uniform (1 0 0);"),
        ["outlet"]),
    "turbulentInlet": (
        "ring", patchField("p", "inner", "type totalPressure; p0 uniform 0;"
                           " value uniform 0;"), ["inner"]),
    "swapped": (
        "ring", both(patchField("U", "inlet", "type slip;"),
                     patchField("p", "outer", FIXED_P)), ["outer", "inlet"]),

    # Patches without faces
    "noFaces": ("cavity", noFaces(WALL, ZERO_GRADIENT), RUNS),
    "noFacesInRing": ("ring", noFaces(WALL, ZERO_GRADIENT), RUNS),
    "noFacesInlet": (
        "channel", noFaces("type fixedValue; value uniform (1 0 0);",
                           ZERO_GRADIENT), RUNS),
    "noFacesOutlet": ("ring", noFaces(ZERO_GRADIENT, FIXED_P), RUNS),
    "noFacesSlip": ("channel", noFaces("type slip;", "type slip;"), RUNS),
    "noFacesFlowRate": (
        "channel", noFaces("type flowRateInletVelocity; volumetricFlowRate 1;"
                           " value uniform (0 0 0);", ZERO_GRADIENT),
        ["nowhere"]),
    "noFacesNoEntry": ("cavity", noFaces("", ""), ["nowhere", "0/[Up]"]),
    "outletWithoutFaces": (
        "channel", withoutFaces("outlet", "top"), ["inlet", "outlet", "0/U"]),
    "wallWithoutFaces": (
        "ring", withoutFaces("inlet", "outlet"), ["inlet"]),

    # Open and degenerate meshes
    **{f"open.{name}.{patch}": (name, openMesh(patch), ["polyMesh"])
       for name in cases.CASES for patch in cases.CASES[name]["patches"]},
    "mirrored": ("channel", points(mirrored), ["polyMesh"]),
    "flat": ("ring", points(flat), ["polyMesh"]),
    "collapsedCells": ("cavity", points(collapsed), ["polyMesh"]),

    # Binary
    "binary": ("cavity", binary((0, 0, 0)), RUNS),
    "binaryNan": ("cavity", binary((0, nan, 0)), [r"0/U"]),
    "binaryInfinite": ("channel", binary((inf, 0, 0)), [r"0/U"]),
    "binaryHuge": ("ring", binary((0, -1e250, 0)), [r"0/U"]),
    "binaryTruncated": ("ring", binary((0, 0, 0), 700), [r"0/U"]),
}
