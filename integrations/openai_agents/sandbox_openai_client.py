"""OpenAI Agents SDK: `SandboxRunConfig(client=sandbox_client(Sandbox(), ttl=3600))`"""
import io
import tarfile
import uuid
from asyncio import to_thread
from typing import Any, Dict, Iterable, List, Literal, Optional

from sandbox_agent import NotFound, PolicyDenied, Sandbox, Session


def _without(archive: bytes, skipped: Iterable[Any]) -> io.BytesIO:
    """A tar archive without these paths and what is below them."""
    tops, out = tuple("%s/" % path for path in skipped), io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(archive)) as source, tarfile.open(fileobj=out, mode="w") as kept:
        for member in source:
            if not (member.name.removeprefix("./") + "/").startswith(tops):
                kept.addfile(member, source.extractfile(member) if member.isreg() else None)
    return io.BytesIO(out.getvalue())


def sandbox_client(sandbox: Sandbox, **given: Any) -> Any:
    """A BaseSandboxClient whose sandboxes are sessions, by arguments of create_session(). Files are below /workspace. A
    sandbox that is closed stands still until resume() or its ttl; delete() ends it. Not offered: users, mounts, pty."""
    from agents.sandbox import ExecResult, ExecTimeoutError, Manifest, WorkspaceReadNotFoundError, resolve_snapshot
    from agents.sandbox.session import BaseSandboxClient, BaseSandboxSession, SandboxSessionState

    def alive(session_id: str) -> Optional[Session]:
        try:
            found = sandbox.session(session_id)
        except NotFound:
            return None
        return found.resume() if found.state == "paused" else found if found.state == "running" else None

    class State(SandboxSessionState):
        type: Literal["sandbox-agent"] = "sandbox-agent"
        sandbox_id: str

    class Box(BaseSandboxSession):
        def __init__(self, state: Any, session: Session) -> None:
            self.state, self.session = state, session

        async def _exec_internal(self, *command: Any, timeout: Any = None) -> Any:
            said: Dict[str, List[bytes]] = {"stdout": [], "stderr": []}
            how = {"env": await self.state.manifest.environment.resolve(), "timeout": timeout}
            how["on_event"] = lambda e: said[e.type].append(e.data) if e.type in said else None
            try:
                r = await to_thread(self.session.execute, argv=[str(c) for c in command], **how)
            except PolicyDenied as e:
                return ExecResult(stdout=b"", stderr=b"refused by policy: " + str(e).encode(), exit_code=123)
            if r.reason == "timeout":
                raise ExecTimeoutError(command=command, timeout_s=timeout)
            code = r.exit_code if r.exit_code is not None else 128 + (r.signal or 9)
            return ExecResult(stdout=b"".join(said["stdout"]), stderr=b"".join(said["stderr"]), exit_code=code)

        async def read(self, path: Any, *, user: Any = None) -> Any:
            try:
                return io.BytesIO(await to_thread(self.session.files.read, str(path)))
            except NotFound as e:
                raise WorkspaceReadNotFoundError(path=path, cause=e) from e

        async def write(self, path: Any, data: Any, *, user: Any = None) -> None:
            await to_thread(self.session.files.write, str(path), data.read())

        async def running(self) -> bool:
            return (await to_thread(self.session.refresh)).state == "running"

        async def persist_workspace(self) -> Any:
            return _without(await to_thread(self.session.files.archive), self._persist_workspace_skip_relpaths())

        async def hydrate_workspace(self, data: Any) -> None:
            await to_thread(self.session.files.unpack, "", data.read())

        async def _shutdown_backend(self) -> None:
            if await self.running():
                await to_thread(self.session.pause)

    class Client(BaseSandboxClient):
        backend_id, supports_default_options = "sandbox-agent", True

        async def create(self, *, snapshot: Any = None, manifest: Any = None, options: Any = None) -> Any:
            number, session = uuid.uuid4(), await to_thread(sandbox.create_session, **{**given, **(options or {})})
            known = {"snapshot": resolve_snapshot(snapshot, str(number)), "manifest": manifest or Manifest()}
            return self._wrap_session(Box(State(session_id=number, sandbox_id=session.id, **known), session))

        async def resume(self, state: Any) -> Any:
            session = await to_thread(alive, state.sandbox_id)
            box = Box(state, session or await to_thread(sandbox.create_session, **given))
            state.sandbox_id, state.workspace_root_ready = box.session.id, bool(session and state.workspace_root_ready)
            box._set_start_state_preserved(session is not None)
            return self._wrap_session(box)

        async def delete(self, session: Any) -> Any:
            await to_thread(session._inner.session.__exit__, None, None, None)
            return session

        def deserialize_session_state(self, payload: Dict[str, object]) -> Any:
            return State.model_validate(payload)

    return Client()
