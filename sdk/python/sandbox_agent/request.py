"""The arguments of `execute()` as the body that the service takes; the command line is given the same thing
(cli.py)."""
import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from .errors import InvalidRequest

__all__ = ["LANGUAGES", "ALIASES", "RISK_LEVELS", "Files", "Volumes", "Text", "build", "language_name", "stricter"]

LANGUAGES = ("python", "node", "bash", "go", "rust")
ALIASES = {
    "py": "python",
    "python3": "python",
    "js": "node",
    "javascript": "node",
    "nodejs": "node",
    "sh": "bash",
    "shell": "bash",
    "golang": "go",
    "rs": "rust",
}
RISK_LEVELS = ("low", "medium", "high")  # from lax to strict
Text = Union[str, bytes]
Files = Union[Mapping[str, Text], Iterable[Mapping[str, Any]]]
Volumes = Iterable[Union[str, Tuple[str, str], Tuple[str, str, str], Mapping[str, str]]]


def language_name(language: str) -> str:
    """Python, py, JavaScript, sh, golang …: the name that the service knows; an unknown one is left to the service to
    refuse."""
    if not isinstance(language, str):
        raise InvalidRequest("language %r: expected one of %s" % (language, ", ".join(LANGUAGES)), "invalid_value")
    lower = language.strip().lower()
    return ALIASES.get(lower, lower if lower in LANGUAGES else language)


def stricter(asked: Optional[str]) -> Optional[str]:
    """The level to ask for: the stricter one of `asked` and SANDBOX_AGENT_RISK_LEVEL, which holds for every run of
    this process."""
    wanted = os.environ.get("SANDBOX_AGENT_RISK_LEVEL", "").strip().lower()
    if not wanted:
        return asked
    if wanted not in RISK_LEVELS:
        raise InvalidRequest("SANDBOX_AGENT_RISK_LEVEL %r: expected low, medium or high" % wanted, "bad_configuration")
    if asked is None or asked not in RISK_LEVELS:
        return asked or wanted  # an unknown one is the service's to refuse
    return max(asked, wanted, key=RISK_LEVELS.index)


def base64_of(data: bytes) -> str:
    """As the API takes bytes."""
    import base64

    return base64.b64encode(data).decode("ascii")


def _file(path: str, content: Text) -> Dict[str, str]:
    if isinstance(content, bytes):
        return {"path": path, "content_base64": base64_of(content)}
    return {"path": path, "content": content}


def _files(files: Files) -> List[Dict[str, Any]]:
    if isinstance(files, Mapping):
        return [_file(str(path), content) for path, content in files.items()]
    return [dict(f) for f in files]


def volume_of(volume: Any) -> Dict[str, str]:
    """A volume as the service takes it: of a mapping, "host:inside:mode", or those as a sequence."""
    if isinstance(volume, Mapping):
        return {"mode": "ro", **{str(k): str(v) for k, v in volume.items()}}
    parts = volume.split(":") if isinstance(volume, str) else [os.fspath(p) for p in volume]
    if len(parts) not in (2, 3) or not all(parts):
        raise InvalidRequest("volume %r: expected host:inside[:ro|rw]" % (volume,), "invalid_value")
    return {"host": parts[0], "inside": parts[1], "mode": parts[2] if len(parts) == 3 else "ro"}


def limits_of(timeout: Optional[float], memory: Union[str, int, None], cpu: Optional[float]) -> Dict[str, Any]:
    """The members of `limits` that were given."""
    limits: Dict[str, Any] = {}
    if timeout is not None:
        limits["timeout"] = timeout
    if memory is not None:
        limits["memory"] = str(memory)
    if cpu is not None:
        limits["cpu"] = cpu
    return limits


def build(
    language: str,
    code: Optional[str] = None,
    *,
    files: Optional[Files] = None,
    entry: Optional[str] = None,
    stdin: Optional[Text] = None,
    args: Optional[Iterable[str]] = None,
    env: Optional[Mapping[str, str]] = None,
    agent_id: Optional[str] = None,
    risk_level: Optional[str] = None,
    backend: Optional[str] = None,
    signature: Optional[str] = None,
    packages: Optional[str] = None,
    timeout: Optional[float] = None,
    memory: Union[str, int, None] = None,
    cpu: Optional[float] = None,
    limits: Optional[Mapping[str, Any]] = None,
    strict_limits: Optional[bool] = None,
    volumes: Optional[Volumes] = None,
) -> Dict[str, Any]:
    """Only what was given; the service judges it. What no service could take is refused here."""
    if (code is None) == (files is None):
        raise InvalidRequest("give either code or files", "invalid_request")
    if code is not None and not isinstance(code, str):
        raise InvalidRequest("code is a text; bytes go into files", "invalid_value")
    if isinstance(args, str):
        raise InvalidRequest("args is a list of texts", "invalid_value")
    body: Dict[str, Any] = {"language": language_name(language)}
    given: Dict[str, Any] = {
        "code": code,
        "files": _files(files) if files is not None else None,
        "entry": entry,
        "stdin": stdin if isinstance(stdin, str) else None,
        "stdin_base64": base64_of(stdin) if isinstance(stdin, bytes) else None,
        "args": [str(a) for a in args] if args is not None else None,
        "env": {str(k): str(v) for k, v in env.items()} if env is not None else None,
        "agent_id": agent_id,
        "risk_level": stricter(risk_level),
        "backend": backend,
        "signature": signature,
        "packages": packages,
        "limits": {**(limits or {}), **limits_of(timeout, memory, cpu)} or None,
        "strict_limits": True if strict_limits else None,
        "volumes": [volume_of(v) for v in volumes] if volumes is not None else None,
    }
    body.update((name, value) for name, value in given.items() if value is not None)
    return body
