"""deepagents: `create_deep_agent(model, backend=sandbox_backend(session))`"""
from typing import Any, Callable, List, Optional, Tuple

from sandbox_agent import Conflict, Forbidden, InvalidRequest, NotFound, PolicyDenied, SandboxError, Session


def _refused(session: Session, path: str, e: SandboxError) -> str:
    """What deepagents calls this error of a file; what it has no word for is raised."""
    if isinstance(e, NotFound) and session.refresh().state == "running":
        return "file_not_found"
    if isinstance(e, (Forbidden, PolicyDenied)):
        return "permission_denied"
    if not isinstance(e, (InvalidRequest, Conflict)):
        raise e
    try:
        return "is_directory" if session.files.stat(path).type == "directory" else "invalid_path"
    except SandboxError:
        return "invalid_path"


def sandbox_backend(session: Session) -> Any:
    """A BaseSandbox: commands and files of a session, below /workspace. A command that policy refuses has exit code 123
    and says why."""
    from deepagents.backends.protocol import ExecuteResponse, FileDownloadResponse, FileUploadResponse
    from deepagents.backends.sandbox import BaseSandbox

    def tried(path: str, work: Callable[[], Any]) -> Tuple[Any, Optional[str]]:
        try:
            return work(), None
        except SandboxError as e:
            return None, _refused(session, path, e)

    class Backend(BaseSandbox):
        @property
        def id(self) -> str:
            return session.id

        def execute(self, command: str, *, timeout: Optional[int] = None) -> Any:
            try:
                r = session.execute(command, timeout=timeout or None)
            except PolicyDenied as e:
                return ExecuteResponse(output="refused by policy: %s" % e, exit_code=123, truncated=False)
            words = "" if r.reason in ("completed", "error", "signal") else "\nsandbox: %s" % r.reason
            code = r.exit_code if r.exit_code is not None else 124 if r.reason == "timeout" else 128 + (r.signal or 9)
            truncated = r.stdout_truncated or r.stderr_truncated
            return ExecuteResponse(output=r.stdout + r.stderr + words, exit_code=code, truncated=truncated)

        def upload_files(self, files: List[Tuple[str, bytes]]) -> Any:
            told = [(path, tried(path, lambda p=path, c=content: session.files.write(p, c))) for path, content in files]
            return [FileUploadResponse(path=path, error=error) for path, (_, error) in told]

        def download_files(self, paths: List[str]) -> Any:
            told = [(path, tried(path, lambda p=path: session.files.read(p))) for path in paths]
            return [FileDownloadResponse(path=path, content=found, error=error) for path, (found, error) in told]

    return Backend()
