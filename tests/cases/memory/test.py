"""Memory that is not there: one error that says for what it is, never a signal
or an exception that nobody catches.

The address space is limited (ulimit -v), from less than the solver needs to
begin with up to where the run has enough.
"""

import os
import re
import resource
import subprocess

from caseTest import *

MiB = 1 << 20


def limited(case, MB, *arguments):
    """Run within so many MiB of address space; status and output."""
    def setLimit():
        resource.setrlimit(resource.RLIMIT_AS, (MB*MiB, MB*MiB))

    done = subprocess.run(
        ["lbmGpuFoam", *arguments], cwd=case, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", preexec_fn=setLimit, timeout=300,
        # The stack of a thread is no memory of ours
        env={**os.environ, "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1",
             "PWD": str(case.resolve())},
    )
    return done.returncode, done.stdout


def prepare(name, cells, LBM):
    case = copyCase("cavity", name)
    path = case / "system/blockMeshDict"
    path.write_text(path.read_text().replace("(20 20 1)",
                                             f"({cells} {cells} 1)"))
    mustRun("blockMesh", case)
    # One lattice step, and a write
    for entry, value in {"deltaT": 1e-9, "endTime": 1e-9,
                         "writeInterval": 1}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        f"\nLBM {{ backend host; {LBM} }}\n")
    return case


# What the solver needs before it reads anything
least = 0
for least in range(100, 2000, 20):
    case = Path("nothing")
    case.mkdir(exist_ok=True)
    if "FOAM FATAL" in limited(case, least)[1]:
        break

ifLong("smallSteps")
for name, cells, LBM, step in (
    ("manyNodes", 20, "refinement 48; precision double;", 20),
    ("manyCells", 400, "refinement 1; precision double;", 12),
    ("list", 20, "refinement 48; layout list;", 20),
):
    case = prepare(name, cells, LBM)
    wanted = set()
    problems = []
    enough = False

    for MB in range(least, least + 50*step, step if long else 3*step):
        status, output = limited(case, MB)
        message = output.partition("FOAM FATAL")[2]
        if status == 0:
            enough = True
            break
        if status != 1 or not message:
            problems.append(f"{MB} MiB: status {status}: {output[-400:]}")
            continue
        for what, bytes in re.findall(r"for      : (.*?), about (\S+ \S+)$",
                                      message, re.M):
            wanted.add(what)
        if "The lattice needs" in message:
            wanted.add("engine")
        if not re.search("Out of memory|The lattice needs|[Nn]o memory|"
                         "Cannot allocate", message):
            problems.append(f"{MB} MiB: {message[:400]}")

    check(f"saysSo-{name}", not problems,
          f"{len(problems)}: " + "; ".join(problems[:4]))
    check(f"enough-{name}", enough, f"not with {MB} MiB")
    check(f"saysForWhat-{name}", wanted, "nothing named")
    print(f"     {name}: {sorted(wanted)}, enough with {MB} MiB")

# The mapping is checked before it is made: its flags alone are too many
case = prepare("mapping", 20, "refinement 1500;")
status, output = limited(case, least + 400)
check("mappingIsChecked",
      status == 1 and re.search(
          r"Out of memory\n *for      : the nodes of the lattice, about "
          r"4\.5 GB", output),
      f"status {status}: {output[-800:]}")

finish()
