"""Where a stored log has to lie: a folder for its cwd, in it one for its id (STG-3)."""

import os
import re
import string
from pathlib import Path

from conformance.stored.verdict import Finding, Origin, Spot

SAFE = frozenset(string.ascii_letters + string.digits + "._-")
SEPARATORS = frozenset("/\\:")
NAMES = frozenset(("session.jsonl", "session.jsonl.zstd"))
NO_CWD = "_no-cwd"
LONGEST_KEY = 251


def is_stored(path: Path) -> bool:
    """Whether a file lies as a stored log does; any other, a copy say, is judged without its place.

    Its name and that of the folder above its session's are those that DSH gives.
    """
    folder = path.parent.parent.name
    keyed = folder.startswith("--") and folder.endswith("--") and len(folder) > len("----")
    return path.name in NAMES and (keyed or folder == NO_CWD)


def segment(session_id: str) -> str:
    """The name of a session's folder (STG-3); an empty id has none."""
    if session_id in (".", ".."):
        return "~002E" * len(session_id)
    return "".join(unit if unit in SAFE else _escaped(unit) for unit in units(session_id))


def project(cwd: str | None) -> str:
    """The name of the folder of everything that was done in one place (STG-3)."""
    if cwd is None:
        return NO_CWD
    spelt = (
        "/" if unit in SEPARATORS else (unit if unit in SAFE else _escaped(unit))
        for unit in units(cwd)
    )
    readable = re.sub("/+", "-", "".join(spelt)).lstrip("-") or "root"
    return f"--{readable[:LONGEST_KEY]}--"


def units(text: str) -> list[str]:
    """The UTF-16 code units of a text, each as a character."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return [chr(int.from_bytes(raw[at : at + 2], "little")) for at in range(0, len(raw), 2)]


def _escaped(unit: str) -> str:
    return f"~{ord(unit):04X}"


def place_fault(path: Path, origin: Origin) -> Finding | None:
    """Why a log cannot be where it is: its header names another place (STG-3)."""
    whole = Path(os.path.abspath(path))  # noqa: PTH100 - links are not followed here
    if not is_stored(whole):
        return None
    names = (project(origin.cwd), segment(origin.id))
    if whole.parent.parent.name == names[0] and whole.parent.name == names[1]:
        return None
    wanted = whole.parent.parent.parent.joinpath(*names, path.name)
    if wanted.exists() and wanted.resolve() == whole.resolve():
        return None
    why = f"the header belongs to {names[0]}/{names[1]}, and not where the file is"
    return Finding("STG-3", why, Spot(1, 0))
