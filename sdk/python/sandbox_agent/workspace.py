"""An AGiXT installation's workspaces: which directories may be mounted, whose they are, and which agent works there.

AGiXT 1.9 keeps a conversation's files in WORKSPACE/agent_HASH/CONVERSATION, HASH being 16 hexadecimal digits of the
SHA-256 of the agent's id; earlier ones in WORKSPACE/AGENT_ID/CONVERSATION. It often runs as root in its container, and
what it makes there is root's, while the service runs as a user of its own and writes only in what is that user's: then
the owner of the workspace root gets it. """
import hashlib
import os
import re
import stat
import sys
from typing import Dict, Iterator, List, Optional, Tuple

from .config import workspace_roots
from .errors import SandboxError

__all__ = ["find_workspace", "find_agent", "remember_agent"]

MAX_ENTRIES = 20000  # of one workspace: what is beyond keeps its owner
_HASHED = re.compile(r"agent_[0-9a-f]{16}")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_CALLERS = 16  # frames above us that may be a method of an extension
_known: Dict[str, str] = {}  # directory name -> agent id, of the agents that this process has seen


# ---- which agent ----


def _directory_name(agent_id: str) -> str:
    return "agent_" + hashlib.sha256(agent_id.encode("utf-8")).hexdigest()[:16]


def remember_agent(agent_id: str) -> None:
    """So that find_agent() knows the directory again, of which AGiXT tells no id."""
    if len(_known) < 10000:
        _known[_directory_name(agent_id)] = agent_id


def _id_of_caller() -> Optional[str]:
    """The id of the AGiXT extension that called: its commands hand over the agent's name, or nothing, though
    `self.agent_id` is there."""
    frame = sys._getframe(1)
    for _ in range(_CALLERS):
        if frame.f_back is None:
            return None
        frame = frame.f_back
        owner = frame.f_locals.get("self")
        found = (
            getattr(owner, "agent_id", None) if hasattr(owner, "agent_name") or hasattr(owner, "commands") else None
        )
        if found:
            return str(found)
    return None


def find_agent(given: Optional[str], working_directory: Optional[str]) -> Optional[str]:
    """One identity for an agent, its id, whatever the caller handed over: the calling extension's own, else the one
    that the directory belongs to, else `given`. Where only the hash of an id is known, agent_HASH."""
    caller = _id_of_caller()
    if caller:
        remember_agent(caller)
        return caller
    parts = os.path.abspath(working_directory).split(os.sep) if working_directory else []
    for part in reversed(parts):
        if _HASHED.fullmatch(part):
            return given if given and _directory_name(given) == part else _known.get(part, part)
    for part in parts[:-1]:
        if _ID.fullmatch(part):
            return part
    return str(given) if given else None


# ---- which directory ----


def _root_of(path: str) -> Optional[str]:
    for named in workspace_roots():
        root = os.path.realpath(named)
        if root != "/" and os.path.commonpath([path, root]) == root:
            return root
    return None


def find_workspace(working_directory: str) -> Tuple[str, List[str]]:
    """The real directory, made if it is not there yet, and the names by which code may call it. SandboxError where it
    is not below an allowed root. As root, what root owns there goes to the owner of the workspace root."""
    path = os.path.realpath(working_directory)
    root = _root_of(path)
    if root is None:
        raise SandboxError(
            "%s is not below an allowed directory" % working_directory,
            "workspace_refused",
            {"remedy": "SANDBOX_AGENT_WORKSPACE_ROOT or endpoints.api.volume_roots names those"},
        )
    try:
        os.makedirs(path, mode=0o755, exist_ok=True)
        _hand_over(root, path)
    except OSError as e:
        raise SandboxError("%s: %s" % (working_directory, e.strerror or e), "workspace_refused") from None
    return path, sorted(
        {working_directory.rstrip("/"), os.path.abspath(working_directory), path}, key=len, reverse=True
    )


def _hand_over(root: str, path: str) -> None:
    if os.geteuid() != 0:
        return
    to = os.stat(root)
    if to.st_uid == 0:
        return
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in os.path.relpath(path, root).split(os.sep):
            if part == os.curdir:
                break
            _give(fd, part, to)
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
            os.close(fd)
            fd = deeper
        for place, name in _entries(fd):
            _give(place, name, to)
    finally:
        os.close(fd)


def _entries(fd: int) -> Iterator[Tuple[int, str]]:
    count = 0
    for _, directories, files, place in os.fwalk(".", dir_fd=fd, follow_symlinks=False):
        for name in directories + files:
            count += 1
            if count > MAX_ENTRIES:
                return
            yield place, name


def _give(place: int, name: str, to: os.stat_result) -> None:
    """Only what is root's: directories, and files without a second name, which might be one of the host's. No link is
    followed, and what was looked at is what changes hands: code of earlier runs may still write in a workspace."""
    try:
        fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place)
    except FileNotFoundError:
        return
    try:
        st = os.fstat(fd)
        if st.st_uid == 0 and (stat.S_ISDIR(st.st_mode) or (stat.S_ISREG(st.st_mode) and st.st_nlink == 1)):
            os.chown("/proc/self/fd/%d" % fd, to.st_uid, to.st_gid)
    finally:
        os.close(fd)
