"""The seven names of the package `safeexecute`, over the sandbox: no Docker socket, no root, no token inside.

AGiXT calls these and shows the text that comes back; nothing here raises. What is different from the original, and why, stands in
integrations/agixt/README.md.

    SANDBOX_AGENT_WORKSPACE_ROOTS  directories (colon-separated) below which a working directory may lie; else endpoints.api.volume_roots
    SANDBOX_AGENT_RISK_LEVEL       low, medium or high, for every run; else the agent's trust decides, and medium where no agent is named
    SANDBOX_AGENT_URL, _API_KEY …  as for every client
"""
import os
import re
from typing import Any, Dict, List, Optional, Tuple

from sandbox_agent import Sandbox, SandboxError
from sandbox_agent.config import workspace_roots

__all__ = ["IMAGE_NAME", "execute_python_code", "execute_shell_command", "repair_workspace_permissions", "install_docker_image",
           "execute_openai_codex", "execute_github_copilot"]

IMAGE_NAME = "sandbox-agent"  # there is no image
WORKSPACE = "/workspace"
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_BLOCK = re.compile(r"```python[ \t]*\r?\n(.*?)```", re.S)
_INSTALL = re.compile(r"^[ \t]*[!%]?[ \t]*pip3?[ \t]+install[ \t]+(.+?)[ \t]*$", re.M)


def _is_below(path: str, root: str) -> bool:
    root = os.path.realpath(root)
    return root != "/" and os.path.commonpath([path, root]) == root


def _workspace(working_directory: Optional[str]) -> Tuple[Optional[str], List[str]]:
    """The real directory, or None; and the ways in which code may name it. SandboxError where the configuration does not allow it."""
    if not working_directory:
        return None, []
    path = os.path.realpath(working_directory)
    if not os.path.isdir(path):
        raise SandboxError("%s is no directory" % working_directory, "workspace_refused")
    if not any(_is_below(path, root) for root in workspace_roots()):
        raise SandboxError("%s is not below an allowed directory" % working_directory, "workspace_refused",
                           {"remedy": "SANDBOX_AGENT_WORKSPACE_ROOTS or endpoints.api.volume_roots names those"})
    return path, sorted({working_directory.rstrip("/"), os.path.abspath(working_directory), path}, key=len, reverse=True)


def _inside(text: str, names: List[str]) -> str:
    """Host paths as the program sees them: whole components only, so that /data/ws is not found in /data/ws2."""
    for name in names:
        if name.startswith("/"):
            text = re.sub(r"(?<![\w/.-])" + re.escape(name) + r"(?![\w.-])", WORKSPACE, text)
    return text


def _options(path: Optional[str], agent_id: Optional[str]) -> Dict[str, Any]:
    options: Dict[str, Any] = {"risk_level": os.environ.get("SANDBOX_AGENT_RISK_LEVEL") or (None if agent_id else "medium")}
    if agent_id:
        options["agent_id"] = str(agent_id)
    if path:
        options["volumes"] = [(path, WORKSPACE, "rw")]
    return options


def _text(result: Any) -> str:
    parts = [result.stdout, result.stderr]
    if not result.ok or "Traceback" in result.stderr:
        ended = result.reason if result.exit_code is None else "%s, exit code %d" % (result.reason, result.exit_code)
        parts.append("Code Execution Failed: %s" % ended)
    return _ANSI.sub("", "\n".join(p.rstrip("\n") for p in parts if p))


def _run(language: str, code: str, working_directory: Optional[str], agent_id: Optional[str], timeout: Optional[float], note: str = "") -> str:
    try:
        if not code.strip():
            raise SandboxError("there is no code", "invalid_request")
        path, names = _workspace(working_directory)
        with Sandbox(progress=False) as sandbox:
            result = sandbox.execute(language, _inside(code, names), timeout=timeout, **_options(path, agent_id))
        return note + _text(result)
    except Exception as e:  # the caller shows text; an exception would end the agent's conversation
        return "Code Execution Failed: %s" % e


def execute_python_code(code: str, working_directory: Optional[str] = None, github_token: Optional[str] = None) -> str:
    """The first ```python block, or all of it. github_token is taken and not forwarded."""
    code = str(code or "")
    block = _BLOCK.search(code)
    code = block.group(1) if block else code
    wanted = [found.group(1) for found in _INSTALL.finditer(code)]
    note = "(not installed: %s; the sandbox has the host's packages)\n" % ", ".join(wanted) if wanted else ""
    return _run("python", _INSTALL.sub("", code), working_directory, None, None, note)


def execute_shell_command(command: str, working_directory: Optional[str] = None, agent_id: Optional[str] = None,
                          conversation_id: Optional[str] = None, github_token: Optional[str] = None, timeout: int = 3600) -> str:
    """With bash. github_token is taken and not forwarded."""
    return _run("bash", str(command or ""), working_directory, agent_id, timeout)


def repair_workspace_permissions(working_directory: Optional[str] = None) -> bool:
    """Nothing here runs as root and leaves files that nobody else may write."""
    return True


def install_docker_image() -> None:
    """There is no image."""


def _refused(what: str) -> Dict[str, Any]:
    text = "%s is not run here: it needs a token and the Internet inside, which this sandbox does not hand out" % what
    return {"response": text, "session_id": None, "success": False}


def execute_openai_codex(*args: Any, **named: Any) -> Dict[str, Any]:
    return _refused("Codex")


def execute_github_copilot(*args: Any, **named: Any) -> Dict[str, Any]:
    return _refused("Copilot")
