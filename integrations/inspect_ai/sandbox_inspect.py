"""Inspect AI: call register() where tasks are defined, then `Task(sandbox="sandbox-agent")`."""
import asyncio
import functools
from typing import Any, Callable, Dict, List, Optional, TypeVar, Union

from sandbox_agent import Forbidden, NotFound, PolicyDenied, Sandbox, SandboxError, Session

T = TypeVar("T")
MOST = 1024 * 1024  # bytes of each stream, by Inspect's interface


async def _in_thread(call: Callable[..., T], *args: Any, **named: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, functools.partial(call, *args, **named))


def _of_file(session: Session, path: str, e: SandboxError) -> Exception:
    """The exception that Inspect expects of this error of a file."""
    if isinstance(e, NotFound):
        return FileNotFoundError(path)
    if isinstance(e, Forbidden):
        return PermissionError(path)
    try:
        return IsADirectoryError(path) if session.files.stat(path).type == "directory" else PermissionError(str(e))
    except SandboxError:
        return e


def environment(sandbox: Sandbox, **options: Any) -> Any:
    """A SandboxEnvironment: one session for each sample, with options as of create_session(). Files are below
    /workspace; every command runs as the sandbox's one user."""
    from inspect_ai.util import ExecResult, OutputLimitExceededError, SandboxEnvironment

    class Environment(SandboxEnvironment):
        def __init__(self, session: Session) -> None:
            self.session = session

        @classmethod
        async def sample_init(cls, task_name: str, config: Any, metadata: Dict[str, str]) -> Dict[str, Any]:
            return {"default": cls(await _in_thread(sandbox.create_session, **options))}

        @classmethod
        async def sample_cleanup(
            cls, task_name: str, config: Any, environments: Dict[str, Any], interrupted: bool
        ) -> None:
            for found in environments.values():
                await _in_thread(found.session.__exit__, None, None, None)

        async def exec(
            self,
            cmd: List[str],
            input: Union[str, bytes, None] = None,
            cwd: Optional[str] = None,
            env: Dict[str, str] = {},
            user: Optional[str] = None,
            timeout: Optional[int] = None,
            **more: Any,
        ) -> Any:
            where = cwd if cwd is None or cwd.startswith("/") else "/workspace/" + cwd
            run = functools.partial(self.session.execute, argv=cmd, stdin=input, cwd=where, env=env, timeout=timeout)
            try:
                r = await _in_thread(run)
            except PolicyDenied as e:
                raise PermissionError(str(e)) from None
            if r.reason == "timeout":
                raise TimeoutError("%s: over after %g ms" % (cmd[0], r.duration_ms))
            for text in (r.stdout, r.stderr):
                if len(text.encode()) > MOST:
                    raise OutputLimitExceededError("1 MiB", text[:MOST])
            code = r.exit_code if r.exit_code is not None else 128 + (r.signal or 9)
            return ExecResult(success=code == 0, returncode=code, stdout=r.stdout, stderr=r.stderr)

        async def write_file(self, file: str, contents: Union[str, bytes]) -> None:
            try:
                await _in_thread(self.session.files.write, file, contents)
            except SandboxError as e:
                raise (await _in_thread(_of_file, self.session, file, e)) from None

        async def read_file(self, file: str, text: bool = True) -> Any:
            try:
                found = await _in_thread(self.session.files.read, file)
            except SandboxError as e:
                raise (await _in_thread(_of_file, self.session, file, e)) from None
            return found.decode("utf-8") if text else found

    return Environment


def register(sandbox: Optional[Sandbox] = None, **options: Any) -> Any:
    """Makes it known to Inspect as `sandbox-agent`."""
    from inspect_ai.util import sandboxenv

    return sandboxenv(name="sandbox-agent")(environment(sandbox or Sandbox(), **options))
