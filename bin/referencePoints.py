#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""Reference points, and values of a result between its cells."""

import csv

import numpy as np


def interpolate(x, xs, ys):
    """Cubic interpolation between the four points around each x"""

    xs, ys = np.asarray(xs), np.asarray(ys)
    result = []
    for value in np.atleast_1d(x):
        i = int(np.clip(np.searchsorted(xs, value) - 2, 0, len(xs) - 4))
        s, f = xs[i:i + 4], ys[i:i + 4]
        weights = [np.prod([(value - s[k])/(s[j] - s[k])
                            for k in range(4) if k != j]) for j in range(4)]
        result.append(np.dot(weights, f))

    return np.array(result)


def readPoints(path, where=()):
    """Reference points of a csv file: component -> [n][2] (place, value).

    The columns component, coord and value are needed. Rows with anything in a
    column flag are left out, as are those in which a column does not have the
    value that where asks for, eg, "Re=1000".
    """

    with open(path) as file:
        rows = list(csv.DictReader(
            line for line in file if not line.startswith("#")))

    if not rows or not {"component", "coord", "value"} <= set(rows[0]):
        raise ValueError(f"{path}: needs columns component, coord and value")

    points = {}
    for row in rows:
        keep = not (row.get("flag") or "").strip()
        for condition in where:
            column, _, value = condition.partition("=")
            if column not in row:
                raise ValueError(f"{path}: no column {column}; there are "
                                + " ".join(row))
            keep = keep and row[column] == value
        if keep:
            points.setdefault(row["component"], []).append(
                (float(row["coord"]), float(row["value"])))

    if not points:
        raise ValueError(f"{path}: no row with " + ", ".join(where))

    return {name: np.array(sorted(rows)) for name, rows in points.items()}
