"""Cases between a rotor and its casing, and the exact flow there."""

import math

from caseTest import HEADER, copyCase, mustRun, setEntry, writeFields

import numpy as np

# Inner and outer radius [m]
R1, R2 = 0.5, 1


def annulus(nr, nt, halves=False):
    """blockMeshDict of four blocks about the z axis, nr cells across and 4*nt
    around. halves: the rotor consists of two patches, rotor and rotor2.
    """
    s = math.sqrt(0.5)
    corners = [(s, -s), (s, s), (-s, s), (-s, -s)]
    middles = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    points = [(r*x, r*y, z) for z in (0, 0.1) for r in (R1, R2) for x, y in corners]
    blocks, edges, inner, outer, sides = [], [], [], [], []
    for k in range(4):
        n = (k + 1) % 4
        blocks.append(f"hex ({k} {4 + k} {4 + n} {n} {8 + k} {12 + k} {12 + n}"
                      f" {8 + n}) ({nr} {nt} 1) simpleGrading (1 1 1)")
        for layer, z in ((0, 0), (8, 0.1)):
            for ring, r in ((0, R1), (4, R2)):
                x, y = middles[k]
                edges.append(f"arc {layer + ring + k} {layer + ring + n}"
                             f" ({r*x} {r*y} {z})")
        inner.append(f"({k} {8 + k} {8 + n} {n})")
        outer.append(f"({4 + k} {4 + n} {12 + n} {12 + k})")
        sides += [f"({k} {n} {4 + n} {4 + k})",
                  f"({8 + k} {12 + k} {12 + n} {8 + n})"]
    rotors = [("rotor", inner[:2]), ("rotor2", inner[2:])] if halves \
        else [("rotor", inner)]
    walls = "\n".join(f"    {name} {{ type wall; faces ({' '.join(faces)}); }}"
                      for name, faces in (*rotors, ("casing", outer)))
    return HEADER.format("dictionary", "blockMeshDict") + f"""
vertices ({' '.join('(%.12g %.12g %g)' % p for p in points)});
blocks ({' '.join(blocks)});
edges ({' '.join(edges)});
boundary
(
{walls}
    frontAndBack {{ type empty; faces ({' '.join(sides)}); }}
);
"""


def taylorCouette(r, inner, outer=0):
    """Velocity around [m/s] and kinematic pressure [m2/s2] between cylinders of
    angular velocities inner and outer [rad/s], u = A r + B/r and dp/dr = u^2/r.
    """
    A = (outer*R2**2 - inner*R1**2)/(R2**2 - R1**2)
    B = (inner - outer)*R1**2*R2**2/(R2**2 - R1**2)
    return A*r + B/r, A**2*r**2/2 + 2*A*B*np.log(r) - B**2/(2*r**2)


def cylinders(name, n, inner, outer, halves=False, **entries):
    """A case with n cells across, at rest at first; angular velocities of the
    cylinders [rad/s]; nu 0.0125 m2/s.
    """
    case = copyCase("cavity", name)
    (case / "system/blockMeshDict").write_text(annulus(n, 2*n, halves))
    turns = ("type rotatingWallVelocity; origin (0 0 0); axis (0 0 1);"
             " omega {:g}; value uniform (0 0 0);")
    writeFields(case, {
        '"rotor.*"': (turns.format(inner), "type zeroGradient;"),
        "casing": (turns.format(outer), "type zeroGradient;"),
    })
    setEntry(case / "constant/transportProperties", "nu", 0.0125)
    for entry, value in {"endTime": 20, "deltaT": 0.1, "writeInterval": 200,
                         "writePrecision": 16, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    mustRun("blockMesh", case)
    return case
