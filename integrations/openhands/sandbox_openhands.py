"""OpenHands: `with sandbox_workspace(Sandbox(), ttl=3600) as workspace:`"""
import pathlib
from typing import Any, Union

from sandbox_agent import PolicyDenied, Sandbox, SandboxError

Path = Union[str, pathlib.Path]


def sandbox_workspace(sandbox: Sandbox, **options: Any) -> Any:
    """A BaseWorkspace that is a session, which ends with the `with`. options: of create_session(). Files are below
    /workspace. Git is asked by commands: git_changes() and git_diff() are not offered."""
    from openhands.sdk.workspace.base import BaseWorkspace
    from openhands.sdk.workspace.models import CommandResult, FileOperationResult

    session = sandbox.create_session(**options)

    def copied(work: Any, source: Path, destination: Path) -> Any:
        try:
            size, error = work(), None
        except (SandboxError, OSError) as e:
            size, error = None, str(e)
        return FileOperationResult(
            success=error is None,
            source_path=str(source),
            destination_path=str(destination),
            file_size=size,
            error=error,
        )

    class Workspace(BaseWorkspace):
        def execute_command(self, command: str, cwd: Any = None, timeout: float = 30.0) -> Any:
            named = {"command": command, "exit_code": 123, "stdout": "", "stderr": "", "timeout_occurred": False}
            try:
                r = session.execute(command, cwd=str(cwd or self.working_dir), timeout=timeout)
            except PolicyDenied as e:
                return CommandResult(**{**named, "stderr": "refused by policy: %s" % e})
            is_late = r.reason == "timeout"
            code = r.exit_code if r.exit_code is not None else -1 if is_late else 128 + (r.signal or 9)
            told = {"exit_code": code, "stdout": r.stdout, "stderr": r.stderr, "timeout_occurred": is_late}
            return CommandResult(**{**named, **told})

        def file_upload(self, source_path: Path, destination_path: Path) -> Any:
            def work() -> int:
                return session.files.write(str(destination_path), pathlib.Path(source_path).read_bytes()).size

            return copied(work, source_path, destination_path)

        def file_download(self, source_path: Path, destination_path: Path) -> Any:
            def work() -> int:
                target = pathlib.Path(destination_path)
                target.parent.mkdir(parents=True, exist_ok=True)
                return target.write_bytes(session.files.read(str(source_path)))

            return copied(work, source_path, destination_path)

        def git_changes(self, path: Path) -> Any:
            raise NotImplementedError("ask git: execute_command('git status --porcelain')")

        def git_diff(self, path: Path) -> Any:
            raise NotImplementedError("ask git: execute_command('git diff')")

        def pause(self) -> None:
            session.pause()

        def resume(self) -> None:
            session.resume()

        def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
            super().__exit__(kind, value, trace)
            session.__exit__(kind, value, trace)

    return Workspace(working_dir="/workspace")
