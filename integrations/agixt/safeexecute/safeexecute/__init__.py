"""The seven names of the package `safeexecute`, over the sandbox: no Docker socket, no root, no token inside.

AGiXT calls these and shows the text that comes back; nothing here raises. What is different from the original, and
why, stands in integrations/agixt/README.md.

    SANDBOX_AGENT_WORKSPACE_ROOT   directory below which a working directory may lie; its owner gets what root made
                                   there
    SANDBOX_AGENT_WORKSPACE_ROOTS  several of them (colon-separated); without either, endpoints.api.volume_roots
    SANDBOX_AGENT_RISK_LEVEL       low, medium or high, for every run; else the agent's trust, or medium without an
                                   agent
    SANDBOX_AGENT_URL, _API_KEY …  as for every client
"""
import hashlib
import os
import re
from typing import Any, Dict, List, Optional

from sandbox_agent import Sandbox, SandboxError, Session
from sandbox_agent.workspace import find_agent, find_workspace

__all__ = [
    "IMAGE_NAME",
    "execute_python_code",
    "execute_shell_command",
    "repair_workspace_permissions",
    "install_docker_image",
    "execute_openai_codex",
    "execute_github_copilot",
]

IMAGE_NAME = "sandbox-agent"  # there is no image
WORKSPACE = "/workspace"
SESSION_TTL = 900  # seconds without a command, after which a conversation's session ends
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_BLOCK = re.compile(r"```python[ \t]*\r?\n(.*?)```", re.S)
_INSTALL = re.compile(r"^[ \t]*[!%]?[ \t]*pip3?[ \t]+install[ \t]+(.+?)[ \t]*$", re.M)


def _inside(text: str, names: List[str]) -> str:
    """Host paths as the program sees them: whole components only, so that /data/ws is not found in /data/ws2."""
    for name in names:
        if name.startswith("/"):
            text = re.sub(r"(?<![\w/.-])" + re.escape(name) + r"(?![\w.-])", WORKSPACE, text)
    return text


def _options(path: Optional[str], agent_id: Optional[str]) -> Dict[str, Any]:
    options: Dict[str, Any] = {}
    if agent_id:
        options["agent_id"] = agent_id
    elif not os.environ.get("SANDBOX_AGENT_RISK_LEVEL"):
        options["risk_level"] = "medium"
    if path:
        options["volumes"] = [(path, WORKSPACE, "rw")]
    return options


def _text(language: str, result: Any) -> str:
    """A command that ends with another code than 0 has not failed to run: `grep` says so that it found nothing."""
    parts = [result.stdout, result.stderr]
    ended = result.reason if result.exit_code is None else "%s, exit code %d" % (result.reason, result.exit_code)
    if language == "bash" and result.reason == "error":
        parts.append("(exit code %d)" % result.exit_code)
    elif not result.ok or (language == "python" and "Traceback" in result.stderr):
        parts.append("Code Execution Failed: %s" % ended)
    if result.limits_clamped:
        parts.append("(limits lowered to those of level %s)" % result.risk_level if not result.ok else "")
    return _ANSI.sub("", "\n".join(p.rstrip("\n") for p in parts if p))


def _session(sandbox: Sandbox, path: str, options: Dict[str, Any]) -> Optional[Session]:
    """The conversation's sandbox, which stays between its commands: what they leave in /tmp, and what runs in the
    background. None where there can be none: no service, a level without volumes, too many sessions."""
    wanted = {"agixt": hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:32]}
    try:
        for found in sandbox.sessions(state="running", metadata=wanted):
            if found.data.get("agent_id") == options.get("agent_id", found.data.get("agent_id")):
                return found.extend(SESSION_TTL)
        return sandbox.create_session(ttl=SESSION_TTL, metadata=wanted, **options)
    except SandboxError:
        return None


def _run(
    language: str,
    code: str,
    working_directory: Optional[str],
    agent_id: Optional[str],
    timeout: Optional[float],
    note: str = "",
    stays: bool = False,
) -> str:
    try:
        if not code.strip():
            raise SandboxError("there is no code", "invalid_request")
        path, names = find_workspace(working_directory) if working_directory else (None, [])
        with Sandbox(progress=False) as sandbox:
            options, code = _options(path, agent_id), _inside(code, names)
            session = _session(sandbox, path, options) if stays and path else None
            if session is not None:
                result = session.execute(code, timeout=timeout)
            else:
                result = sandbox.execute(language, code, timeout=timeout, **options)
        return note + _text(language, result)
    except Exception as e:  # the caller shows text; an exception would end the agent's conversation
        return "Code Execution Failed: %s" % e


def execute_python_code(code: str, working_directory: Optional[str] = None, github_token: Optional[str] = None) -> str:
    """The first ```python block, or all of it. github_token is taken and not forwarded."""
    code = str(code or "")
    block = _BLOCK.search(code)
    code = block.group(1) if block else code
    wanted = [found.group(1) for found in _INSTALL.finditer(code)]
    note = "(not installed: %s; the sandbox has the host's packages)\n" % ", ".join(wanted) if wanted else ""
    return _run("python", _INSTALL.sub("", code), working_directory, find_agent(None, working_directory), None, note)


def execute_shell_command(
    command: str,
    working_directory: Optional[str] = None,
    agent_id: Optional[str] = None,
    conversation_id: Optional[str] = None,
    github_token: Optional[str] = None,
    timeout: int = 3600,
) -> str:
    """With bash, in the session of the directory where there is a service. AGiXT hands over the agent's name as
    agent_id: the run is its id's, see find_agent(). github_token is taken and not forwarded."""
    agent = find_agent(agent_id, working_directory)
    return _run("bash", str(command or ""), working_directory, agent, timeout, stays=True)


def repair_workspace_permissions(working_directory: Optional[str] = None) -> bool:
    """Nothing to repair: no run leaves files of root's."""
    return True


def install_docker_image() -> None:
    """There is no image."""


def _refused(what: str) -> Dict[str, Any]:
    text = "%s is not run here: it needs a token and the Internet inside, which this sandbox does not hand out" % what
    return {"response": text, "session_id": None, "success": False}


def execute_openai_codex(*args: Any, **named: Any) -> Dict[str, Any]:
    """An answer that says why it is not run."""
    return _refused("Codex")


def execute_github_copilot(*args: Any, **named: Any) -> Dict[str, Any]:
    """An answer that says why it is not run."""
    return _refused("Copilot")
