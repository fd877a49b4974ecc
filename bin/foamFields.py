#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""Read and write OpenFOAM field files, with numpy alone.

Made for the fields that solvers write: ascii or binary, uniform or nonuniform
lists, no macros and no #calc in the parts that are read.
"""

import gzip
import os
import re

try:
    import numpy as np
except ImportError:
    # Entries and names of times can be read all the same
    np = None

COMPONENTS = {
    "scalar": 1, "vector": 3, "sphericalTensor": 1, "symmTensor": 6,
    "tensor": 9,
}


class Patch:
    """Boundary condition of one patch: its type and values.

    values is None where the file gives none, an array of one row if uniform.
    """

    def __init__(self, type, values):
        self.type = type
        self.values = values


class Field:
    """A volume or surface field as it stands in its file.

    type        scalar, vector, symmTensor, tensor or sphericalTensor
    format      ascii or binary
    dimensions  the seven exponents, as text
    internal    values [nCells] or [nCells][nComponents]; one row if uniform
    boundary    name of patch or regular expression -> Patch
    """

    def __init__(self, type, format, dimensions, internal, boundary):
        self.type = type
        self.format = format
        self.dimensions = dimensions
        self.internal = internal
        self.boundary = boundary


def _shape(values, type):
    n = COMPONENTS[type]
    return values if n == 1 else values.reshape(-1, n)


def _values(data, at, type, binary):
    """The list or uniform value at this place, and where it ends."""

    match = re.compile(rb"\s*uniform\s+([^;]*);").match(data, at)
    if match:
        numbers = match[1].replace(b"(", b" ").replace(b")", b" ").split()
        return _shape(np.array(numbers, dtype=float), type), match.end()

    match = re.compile(
        rb"\s*nonuniform\s+(?:List<\w+>)?\s*(?:(\d+)\s*\(|(\d+)\s*\{|(\d+)\s*;)"
    ).match(data, at)
    if not match:
        raise ValueError("neither uniform nor nonuniform: "
                         + data[at:at + 40].decode(errors="replace"))

    n = int(match[1] or match[2] or match[3])
    first = match.end()

    if match[3]:
        return _shape(np.zeros(0), type), first

    if match[2]:
        end = data.index(b"}", first)
        numbers = data[first:end].replace(b"(", b" ").replace(b")", b" ")
        values = np.tile(np.array(numbers.split(), dtype=float), n)
    elif binary:
        count = n*COMPONENTS[type]
        values = np.frombuffer(data, np.float64, count, first).copy()
        end = first + 8*count
    else:
        end = data.index(b";", first)
        numbers = data[first:end].replace(b"(", b" ").replace(b")", b" ")
        values = np.array(numbers.split(), dtype=float)

    if values.size != n*COMPONENTS[type]:
        raise ValueError(f"{values.size} numbers instead of "
                         f"{n*COMPONENTS[type]}")

    return _shape(values, type), data.index(b";", end) + 1


def _keyword(data, name):
    match = re.search(rb"(?m)^\s*" + name + rb"\s+([^;]*);", data)
    return match[1].decode().strip() if match else None


def _skipEntry(data, at):
    """End of an entry whose value is of no interest."""

    depth = 0
    for match in re.compile(rb'"[^"]*"|[(){};]').finditer(data, at):
        depth += {b"(": 1, b"{": 1, b")": -1, b"}": -1}.get(match[0], 0)
        if depth == 0 and match[0] in (b";", b"}"):
            return match.end()
    raise ValueError("entry without end")


def readFile(path):
    """The bytes of a file; a file with .gz is found as well."""

    if not os.path.exists(path) and os.path.exists(path + ".gz"):
        path += ".gz"

    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return file.read()


def readField(path):
    """The field in a file; a file with .gz is found as well."""

    if np is None:
        raise ImportError("fields cannot be read without numpy "
                          "(package python3-numpy)")

    data = readFile(path)

    try:
        name = _keyword(data, rb"class")
        match = re.fullmatch(r"(?:vol|surface)(\w)(\w+)Field", name)
        type = match and match[1].lower() + match[2]
        if type not in COMPONENTS:
            raise ValueError(f"class {name} is not a volume or surface field")

        format = _keyword(data, rb"format")
        binary = (format == "binary")
        at = re.search(rb"(?m)^internalField", data).end()
        internal, at = _values(data, at, type, binary)

        boundary = {}
        at = re.compile(rb"\s*boundaryField\s*\{").search(data, at).end()
        entry = re.compile(rb'\s*(?:(\})|("[^"]*"|[^\s{};]+)(\s*\{)?)')

        while True:
            match = entry.match(data, at)
            if match[1]:
                break
            patch = Patch(None, None)
            boundary[match[2].decode().strip('"')] = patch
            at = match.end()

            while True:
                match = entry.match(data, at)
                at = match.end()
                if match[1]:
                    break
                if match[2] == b"value":
                    patch.values, at = _values(data, at, type, binary)
                    continue
                if match[2] == b"type":
                    end = data.index(b";", at)
                    patch.type = data[at:end].decode().strip()

                # Binary lists may have brackets in them
                kind = re.compile(rb"\s*nonuniform\s+List<(\w+)>").match(data, at)
                kind = binary and kind and kind[1].decode()
                if kind in COMPONENTS:
                    _, at = _values(data, at, kind, binary)
                    continue
                at = _skipEntry(data, match.start(3) if match[3] else at)

    except (ValueError, AttributeError, TypeError) as reason:
        raise ValueError(f"{path}: cannot be read as a field: {reason}")

    return Field(
        type, format, _keyword(data, rb"dimensions"), internal, boundary
    )


def patchFluxes(case, time):
    """Sum of phi over the faces of each patch that gives values and has faces."""

    sizes = dict(re.findall(
        rb"(\S+)\s*{[^}]*nFaces\s+(\d+);",
        readFile(os.path.join(case, "constant/polyMesh/boundary"))))
    result = {}
    for name, patch in readField(os.path.join(case, time, "phi")).boundary.items():
        if patch.values is not None and patch.values.size:
            # One value stands for all faces
            n = int(sizes[name.encode()])
            result[name] = patch.values.sum()*n/patch.values.size
    return result


def writeField(path, name, type, dimensions, internal, boundary):
    """Write a field in ascii with all its digits.

    internal    one value or row, or an array of them
    boundary    text of each patch: name -> "type zeroGradient;"
    """

    def row(value):
        numbers = " ".join(f"{x:.17g}" for x in np.atleast_1d(value))
        return numbers if COMPONENTS[type] == 1 else f"({numbers})"

    internal = np.asarray(internal, dtype=float)
    uniform = internal.ndim < (1 if COMPONENTS[type] == 1 else 2)

    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(f"""FoamFile
{{
    version     2.0;
    format      ascii;
    class       vol{type[0].upper()}{type[1:]}Field;
    object      {name};
}}

dimensions      {dimensions};

""")
        if uniform:
            file.write(f"internalField   uniform {row(internal)};\n")
        else:
            file.write(f"internalField   nonuniform List<{type}>\n"
                       f"{len(internal)}\n(\n")
            file.writelines(row(value) + "\n" for value in internal)
            file.write(");\n")

        file.write("\nboundaryField\n{\n")
        for patch, text in boundary.items():
            lines = "\n".join(" "*8 + line.strip()
                              for line in text.strip().splitlines())
            file.write(f"    {patch}\n    {{\n{lines}\n    }}\n")
        file.write("}\n")


def readEntry(path, keyword):
    """Value of a top-level entry of a dictionary file as text, or None."""

    with open(path, "rb") as file:
        data = re.sub(rb"(?s)/\*.*?\*/|//[^\n]*", b"", file.read())

    return _keyword(data, keyword.encode())


def timeNames(case):
    """Names of the time directories of a case, by increasing time."""

    def value(name):
        try:
            return float(name)
        except ValueError:
            return None

    names = [name for name in os.listdir(case)
             if value(name) is not None
             and os.path.isdir(os.path.join(case, name))]

    return sorted(names, key=value)
