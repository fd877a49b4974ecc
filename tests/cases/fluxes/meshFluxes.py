"""Fluxes of a mesh: what a written phi lets into each cell and out of it."""

import re
import sys
from pathlib import Path

from caseTest import top

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField


def _labels(path):
    return np.array(re.search(r"\n\d+\s*\(([^)]*)\)", path.read_text())[1]
                    .split(), dtype=int)


class Fluxes:
    """phi of a case at a time [m3/s].

    net         sum over the faces of each cell
    largest     largest |phi| of a face
    boundary    name of a patch -> phi of its faces
    owner, neighbour, internal
                of the mesh, and phi of its inner faces
    """

    def __init__(self, case, time):
        mesh = Path(case) / "constant/polyMesh"
        self.owner = _labels(mesh / "owner")
        self.neighbour = _labels(mesh / "neighbour")
        inner = len(self.neighbour)

        phi = readField(str(Path(case) / time / "phi"))
        self.internal = np.broadcast_to(phi.internal.ravel(), inner)

        self.net = np.zeros(self.owner.max() + 1)
        np.add.at(self.net, self.owner[:inner], self.internal)
        np.subtract.at(self.net, self.neighbour, self.internal)

        self.boundary = {}
        for name, n, start in re.findall(
                r"(\S+)\s*{[^}]*nFaces\s+(\d+);\s*startFace\s+(\d+);",
                (mesh / "boundary").read_text()):
            n, start = int(n), int(start)
            values = phi.boundary[name].values
            if values is None or len(values) == 0:
                continue
            values = np.broadcast_to(np.ravel(values), n)
            self.boundary[name] = values
            np.add.at(self.net, self.owner[start:start + n], values)

        self.largest = max(
            np.abs(values).max(initial=0)
            for values in (self.internal, *self.boundary.values()))

    def imbalance(self):
        """Largest |net| over the largest |phi|."""
        return np.abs(self.net).max()/self.largest if self.largest else 0.
