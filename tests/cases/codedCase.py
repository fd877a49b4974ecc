"""Cases with code that OpenFOAM compiles. It compiles none for an administrator:
there a user without rights runs the case, in a temporary folder with copies of what
this user cannot read.
"""

import atexit
import tempfile

from caseTest import *

#: An administrator's stand-in: a user and group that own nothing
NOBODY = 65534

_temporary = None


def whyNotCompiled():
    """What is missing to compile the code of a case; empty if nothing is."""
    for program in "wmake", os.environ.get("WM_CXX", "g++"):
        if not shutil.which(program):
            return f"no {program}"
    if os.geteuid() != 0:
        return ""
    if not shutil.which("setpriv"):
        return "OpenFOAM compiles no code for an administrator, and no setpriv"
    done = subprocess.run([*_asNobody(), "test", "-w", _home()], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "" if done.returncode == 0 else (
        "OpenFOAM compiles no code for an administrator, and another user cannot"
        f" write to {_home()}: {done.stdout}")


def runCoded(command, case):
    """As run: the exit status and all that a program printed."""
    if os.geteuid() != 0:
        return run(command, case)

    program = command.split()[0]
    copy = _home() / "case"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(case, copy)
    _giveAway(copy)
    result = run([*_asNobody(), *command.split()], copy, f"log.{program}",
                 environment=_environmentOf(program))
    shutil.copytree(copy, case, dirs_exist_ok=True)
    return result


def _asNobody():
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}",
            "--clear-groups"]


def _giveAway(folder):
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def _home():
    """A folder of that user, until the test ends, where code is allowed."""
    global _temporary
    if not _temporary:
        _temporary = Path(tempfile.mkdtemp(prefix="lbmGpuFoam."))
        atexit.register(shutil.rmtree, _temporary, ignore_errors=True)
        (_temporary / ".OpenFOAM").mkdir()
        (_temporary / ".OpenFOAM/controlDict").write_text(
            "InfoSwitches { allowSystemOperations 1; }\n")
        _giveAway(_temporary)
    return _temporary


def _hidden(path):
    """The first of the folders to this path that others cannot enter, or None."""
    return next((p for p in [*reversed(path.parents), path]
                 if p.is_dir() and p.stat().st_mode & 0o5 != 0o5), None)


def _dangling(folder, names):
    return [name for name in names if not os.path.exists(f"{folder}/{name}")]


def _environmentOf(program):
    """Environment to compile and run in. Folders below a hidden one are copied to the
    same path below home, and all variables name that instead.
    """
    tree = Path(os.environ["WM_PROJECT_DIR"])
    needed = [tree / part for part in (
        "META-INFO", "etc", "wmake", "platforms/tools",
        *(f"src/{library}/lnInclude" for library in (
            "OpenFOAM", "OSspecific/POSIX", "finiteVolume", "fvOptions",
            "meshTools", "sampling")))]
    needed += [Path(shutil.which(program)).parent]
    needed += map(Path, filter(None, os.environ["LD_LIBRARY_PATH"].split(":")))

    prefixes = set()
    for folder in needed:
        hidden = _hidden(folder)
        if hidden and folder.is_dir():
            prefixes.add(str(hidden))
            copy = Path(f"{_home()}{folder}")
            if not copy.is_dir():
                shutil.copytree(folder, copy, ignore=_dangling)

    environment = {}
    for name, value in os.environ.items():
        for prefix in prefixes:
            value = re.sub(rf"(?<![^:]){re.escape(prefix)}(?=/)",
                           f"{_home()}{prefix}", value)
        environment[name] = value
    return {**environment, "HOME": str(_home())}
