#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""Blocks for blockMesh, and the mesh that it makes of them."""

import math
import re

import numpy as np

#: Corners of the faces of a block, by direction, lower and upper side; outwards
FACES = (
    ((0, 4, 7, 3), (1, 2, 6, 5)),
    ((0, 1, 5, 4), (3, 7, 6, 2)),
    ((0, 3, 2, 1), (4, 5, 6, 7)),
)


def header(kind, name):
    return (f"FoamFile\n{{\n    version     2.0;\n    format      ascii;\n"
            f"    class       {kind};\n    object      {name};\n}}\n\n")


class Blocks:
    """Blocks of hexahedra.

    plane       one cell thick between empty patches
    points      corners, where blockMesh will have them
    logical     the same corners, where name() looks for them
    blocks      (eight corners, cells in three directions, expansion ratios)
    arcs        (corner, corner, a point between them)
    """

    def __init__(self, plane):
        self.plane = plane
        self.points = []
        self.logical = []
        self.blocks = []
        self.arcs = []

    def patches(self, name):
        """Faces of the boundary by patch, in the order of blocks.

        name(centre, direction, side): name of the patch of a face; side is 0
        for the lower, 1 for the upper one
        """

        faces = {}
        for corners, _, _ in self.blocks:
            for direction, sides in enumerate(FACES):
                for side, face in enumerate(sides):
                    face = [corners[i] for i in face]
                    key = tuple(sorted(face))
                    if key in faces:
                        faces[key] = None
                    else:
                        faces[key] = (face, direction, side)
        result = {}
        for found in faces.values():
            if found is None:
                continue
            face, direction, side = found
            if self.plane and direction == 2:
                patch = "frontAndBack"
            else:
                centre = [sum(self.logical[i][d] for i in face)/4
                          for d in range(3)]
                patch = name(centre, direction, side)
            result.setdefault(patch, []).append(face)
        return result

    def write(self, path, name, types, angle, scale, multiply=1):
        """Write a blockMeshDict.

        types       patch -> (type, other entries); a patch otherwise
        angle       about the z axis [degrees]
        scale       (factor for the points, entry `scale` of the file)
        multiply    all counts of cells
        """

        c, s = rotation(angle)
        factor, unit = scale

        def point(p):
            x, y, z = p
            return "(" + " ".join(
                f"{factor*v + 0:.12g}"
                for v in (c*x - s*y, s*x + c*y, z)) + ")"

        def counts(n):
            return " ".join(
                str(m if self.plane and d == 2 else multiply*m)
                for d, m in enumerate(n))

        def ratio(n, g):
            # Each cell is cut in two: its ratio to the next one, shared
            return g**((multiply*n - 1)/(multiply*(n - 1))) if n > 1 else g

        lines = [header("dictionary", "blockMeshDict"), f"scale {unit:g};\n",
                 "vertices\n("]
        lines += ["    " + point(p) for p in self.points]
        lines += [");\n", "blocks\n("]
        lines += [
            f"    hex ({' '.join(map(str, v))}) ({counts(n)}) simpleGrading ("
            + " ".join(f"{ratio(m, x):.12g}" for m, x in zip(n, g)) + ")"
            for v, n, g in self.blocks]
        lines += [");\n", "edges\n("]
        lines += [f"    arc {a} {b} {point(m)}" for a, b, m in self.arcs]
        lines += [");\n", "boundary\n("]
        for patch, faces in self.patches(name).items():
            kind, entries = types.get(patch, ("patch", ""))
            if patch == "frontAndBack" and self.plane:
                kind = "empty"
            lines += [f"    {patch}", "    {", f"        type {kind};"]
            if entries:
                lines.append(f"        {entries}")
            lines.append("        faces (" + " ".join(
                "(" + " ".join(map(str, f)) + ")" for f in faces) + ");")
            lines.append("    }")
        lines += [");\n", "mergePatchPairs ();\n"]
        path.write_text("\n".join(lines))

    def nCells(self):
        return sum(n[0]*n[1]*n[2] for _, n, _ in self.blocks)

    def children(self):
        """Cells of the mesh twice as fine inside each cell, [nCells][4 or 8]"""

        result = []
        first = 0
        for _, (nx, ny, nz), _ in self.blocks:
            mz = nz if self.plane else 2*nz
            k, j, i = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx),
                                  indexing="ij")
            result.append(np.stack([
                (first + (2*i + a) + 2*nx*((2*j + b) + 2*ny*(
                    k if self.plane else 2*k + c))).ravel()
                for c in range(1 if self.plane else 2)
                for b in range(2) for a in range(2)], axis=1))
            first += 4*nx*ny*mz
        return np.concatenate(result)


def rotation(angle):
    """Cosine and sine, exact where they can be"""

    exact = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}
    a = math.radians(angle)
    return exact.get(angle % 360, (math.cos(a), math.sin(a)))


def boxes(x, y, z, counts, gradings, keep=None, mapped=None, plane=True):
    """Blocks between lines x, y and z.

    counts      cells of each interval, a list for each of three directions
    gradings    expansion ratios in the same way
    keep        keep(i, j, k): is there a block
    mapped      mapped(point): where a corner goes to
    """

    blocks = Blocks(plane)
    index = {}

    def corner(i, j, k):
        if (i, j, k) not in index:
            index[i, j, k] = len(blocks.points)
            p = (x[i], y[j], z[k])
            blocks.logical.append(p)
            blocks.points.append(mapped(p) if mapped else p)
        return index[i, j, k]

    for k in range(len(z) - 1):
        for j in range(len(y) - 1):
            for i in range(len(x) - 1):
                if keep is None or keep(i, j, k):
                    blocks.blocks.append((
                        [corner(i, j, k), corner(i + 1, j, k),
                         corner(i + 1, j + 1, k), corner(i, j + 1, k),
                         corner(i, j, k + 1), corner(i + 1, j, k + 1),
                         corner(i + 1, j + 1, k + 1), corner(i, j + 1, k + 1)],
                        (counts[0][i], counts[1][j], counts[2][k]),
                        (gradings[0][i], gradings[1][j], gradings[2][k])))
    return blocks


def listOf(path, pattern):
    """What follows the header and the size of a list in a file of a mesh"""

    text = path.read_text()
    match = re.compile(r"\n\s*(\d+)\s*\n?\s*\(").search(text)
    if not match:
        raise ValueError(f"{path}: no list is found")
    return pattern(text[match.end():text.rindex(")")])


def numbers(text, kind=float):
    for c in "()":
        text = text.replace(c, " ")
    return np.array(text.split(), dtype=kind)


class Geometry:
    """Volumes of the cells of a mesh; centres and areas of its patches."""

    def __init__(self, case):
        mesh = case/"constant/polyMesh"
        points = listOf(mesh/"points", numbers).reshape(-1, 3)
        # Every face of blocks has four corners
        faces = listOf(
            mesh/"faces", lambda text: numbers(
                re.sub(r"\d+\(", "(", text), int)).reshape(-1, 4)
        owner = listOf(mesh/"owner", lambda text: numbers(text, int))
        neighbour = listOf(mesh/"neighbour", lambda text: numbers(text, int))

        p = points[faces]
        middle = p.mean(axis=1, keepdims=True)
        q = np.roll(p, -1, axis=1)
        triangles = np.cross(p - middle, q - middle)/2
        areas = triangles.sum(axis=1)
        normals = areas/np.linalg.norm(areas, axis=1)[:, None]
        weights = (triangles*normals[:, None]).sum(axis=2)
        centres = ((p + q + middle)/3*weights[..., None]).sum(axis=1)
        centres /= weights.sum(axis=1)[:, None]

        n = owner.max() + 1
        fluxes = (centres*areas).sum(axis=1)/3
        self.volumes = np.bincount(owner, fluxes, n)
        self.volumes -= np.bincount(neighbour, fluxes[:len(neighbour)], n)

        total = np.bincount(owner, minlength=n).astype(float)
        total += np.bincount(neighbour, minlength=n)
        self.cellCentres = np.stack([
            (np.bincount(owner, centres[:, d], n)
             + np.bincount(neighbour, centres[:len(neighbour), d], n))/total
            for d in range(3)], axis=1)
        # A cell is as thick as its volume over its face
        self.thickness = self.volumes[owner]/np.linalg.norm(areas, axis=1)
        inner = slice(0, len(neighbour))
        self.thickness[inner] = np.minimum(
            self.thickness[inner],
            self.volumes[neighbour]/np.linalg.norm(areas[inner], axis=1))

        self.areas = {}
        self.centres = {}
        self.points = {}
        text = (mesh/"boundary").read_text()
        for match in re.finditer(
                r"(\w+)\s*\{[^}]*nFaces\s+(\d+);\s*startFace\s+(\d+);", text):
            part = slice(int(match[3]), int(match[3]) + int(match[2]))
            self.areas[match[1]] = areas[part]
            self.centres[match[1]] = centres[part]
            self.points[match[1]] = p[part]
            if match[1] == "frontAndBack":
                self.thickness[part] = np.inf

    def smallest(self):
        """Thickness of the thinnest cell, but across empty patches"""

        return self.thickness.min()
