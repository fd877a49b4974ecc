"""The host's loops over the nodes of dense lattices are vectorised: one that is
not takes two to three times as long, and nothing else shows it.
"""

import platform

from caseTest import *

LOOP = re.compile(
    r"<.*hostBackend::forNodes<lbm::updateNode<lbm::model<lbm::(D\dQ\d+), "
    r"lbm::dense, lbm::(single|double)Precision>, lbm::(\w+), lbm::(\w+), (\d),"
    r" lbm::noTerms, lbm::(\w+), lbm::noScalars> >.*_omp_fn.*>:$")
PACKED = re.compile(r"\tv?(mul|add)p[sd] ")


def libraries():
    for folder in ("FOAM_MODULE_LIBBIN", "FOAM_USER_LIBBIN"):
        paths = list(Path(os.environ.get(folder) or "/none").glob(
            "liblbmLatticeHost*-*.so"))
        if paths:
            return paths
    return []


def packedOperations():
    """Of each loop, by lattice, precision, collision, force, parity, fields"""
    process = subprocess.Popen(
        ["objdump", "-d", "-C", "--no-show-raw-insn", *map(str, libraries())],
        stdout=subprocess.PIPE, text=True)
    result, loop = {}, None
    for line in process.stdout:
        if line.endswith(">:\n"):
            found = LOOP.search(line)
            loop = found.groups() if found else None
            if loop:
                result[loop] = 0
        elif loop and PACKED.search(line):
            result[loop] += 1
    return result


if platform.machine() not in ("x86_64", "AMD64"):
    skipped("loops", "looks for instructions of x86-64")
else:
    loops = packedOperations()
    # A collision has several operations a direction. That of D3Q27, regularised
    # and with a force, is too large: the compiler calls parts of it
    scalar = sorted(
        " ".join(loop) for loop, n in loops.items()
        if n < 4*int(loop[0].split("Q")[1])
        and (loop[0], loop[2], loop[3])
        != ("D3Q27", "regularisedRelaxation", "guoForcing"))
    # Operations of the lattices x precisions x terms x parities
    check("loops.found", len(loops) == (3 + 3 + 3)*2*4*2, len(loops))
    check("loops.vectorised", not scalar, scalar)

finish()
