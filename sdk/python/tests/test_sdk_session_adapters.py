"""Adapters on sessions, against the interfaces of their frameworks as these were recorded on 2026-11-23 (PyPI is not
reachable): deepagents 0aa257a (backends/langsmith.py, backends/sandbox.py), OpenHands software-agent-sdk 0d29c4d
(workspace/base.py), Inspect 03b87b1 (util/_sandbox/environment.py), OpenAI Agents 055cc16
(sandbox/session/base_sandbox_session.py) and 3cda001 (sandbox/session/sandbox_client.py). The service and the sandbox
are real."""
import abc
import asyncio
import dataclasses
import inspect
import io
import sys
import tarfile
import types
from typing import Any

import pytest
import sdk_support as s
from test_sdk_adapters import load, pretend

from sandbox_agent import Sandbox

ADAPTERS = [
    "deepagents/sandbox_deepagents.py",
    "openhands/sandbox_openhands.py",
    "inspect_ai/sandbox_inspect.py",
    "openai_agents/sandbox_openai_client.py",
]
REFUSED = "kill -9 -1"  # needs a stricter level than the session's
LEVEL = {"risk_level": "medium"}  # and an agent for each test: a refusal at high has a cool-down


@pytest.fixture(scope="module")
def client(shared_service):
    with Sandbox(shared_service.url, shared_service.new_key(), mode="service") as sandbox:
        yield sandbox


def record(name, *fields):
    return dataclasses.make_dataclass(name, fields)


def takes_what_the_base_names(made):
    """Each abstract method can be called with the arguments of the recorded one."""
    base = next(c for c in type(made).__mro__ if c.__dict__.get("__abstractmethods__"))
    for name in base.__abstractmethods__:
        theirs, ours = (getattr(c, name) for c in (base, type(made)))
        if not callable(theirs):
            continue
        ours_names = list(inspect.signature(ours).parameters)
        assert [p for p in inspect.signature(theirs).parameters if p not in ours_names] == [], name


@pytest.mark.parametrize("name", ADAPTERS)
def test_adapter_is_short_and_imports_its_framework_only_when_used(name):
    assert len((s.INTEGRATIONS / name).read_text().splitlines()) <= 100
    before = set(sys.modules)
    load(name)
    assert not {"deepagents", "openhands", "inspect_ai", "agents"} & (set(sys.modules) - before)


def test_deepagents_backend(client, monkeypatch):
    class BaseSandbox(abc.ABC):
        @property
        @abc.abstractmethod
        def id(self) -> str: ...

        @abc.abstractmethod
        def execute(self, command: str, *, timeout: Any = None) -> Any: ...

        @abc.abstractmethod
        def upload_files(self, files: Any) -> Any: ...

        @abc.abstractmethod
        def download_files(self, paths: Any) -> Any: ...

    pretend(
        monkeypatch,
        "deepagents.backends.protocol",
        ExecuteResponse=record("ExecuteResponse", "output", "exit_code", "truncated"),
        FileDownloadResponse=record("FileDownloadResponse", "path", "content", "error"),
        FileUploadResponse=record("FileUploadResponse", "path", "error"),
    )
    protocol = sys.modules["deepagents.backends.protocol"]
    pretend(monkeypatch, "deepagents.backends.sandbox", BaseSandbox=BaseSandbox)
    monkeypatch.setitem(sys.modules, "deepagents.backends.protocol", protocol)
    with client.create_session(agent_id="deepagents", **LEVEL) as session:
        backend = load(ADAPTERS[0]).sandbox_backend(session)
        takes_what_the_base_names(backend)
        r = backend.execute("echo out; echo err >&2; exit 5")
        assert (backend.id, r.output, r.exit_code, r.truncated) == (session.id, "out\nerr\n", 5, False)
        r = backend.execute("sleep 1000", timeout=1)
        assert r.exit_code == 124 and "timeout" in r.output
        r = backend.execute(REFUSED)
        assert r.exit_code == 123 and "refused by policy" in r.output
        told = backend.upload_files([("/workspace/d/f", b"x"), ("/etc/x", b"x"), ("/workspace/d/g", b"y")])
        assert [t.error for t in told] == [None, "invalid_path", None]
        told = backend.download_files(["/workspace/d/f", "/workspace/none", "/workspace/d"])
        assert [(t.content, t.error) for t in told] == [(b"x", None), (None, "file_not_found"), (None, "is_directory")]


def test_openhands_workspace(client, monkeypatch, tmp_path):
    class BaseWorkspace(abc.ABC):
        def __init__(self, working_dir):
            self.working_dir = working_dir

        def __enter__(self):
            return self

        def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
            pass

        @abc.abstractmethod
        def execute_command(self, command: str, cwd: Any = None, timeout: float = 30.0) -> Any: ...

        @abc.abstractmethod
        def file_upload(self, source_path: Any, destination_path: Any) -> Any: ...

        @abc.abstractmethod
        def file_download(self, source_path: Any, destination_path: Any) -> Any: ...

        @abc.abstractmethod
        def git_changes(self, path: Any) -> Any: ...

        @abc.abstractmethod
        def git_diff(self, path: Any) -> Any: ...

    pretend(
        monkeypatch,
        "openhands.sdk.workspace.models",
        CommandResult=record("CommandResult", "command", "exit_code", "stdout", "stderr", "timeout_occurred"),
        FileOperationResult=record(
            "FileOperationResult", "success", "source_path", "destination_path", "file_size", "error"
        ),
    )
    models = sys.modules["openhands.sdk.workspace.models"]
    pretend(monkeypatch, "openhands.sdk.workspace.base", BaseWorkspace=BaseWorkspace)
    monkeypatch.setitem(sys.modules, "openhands.sdk.workspace.models", models)
    options = {"metadata": {"of": "openhands"}, "agent_id": "openhands", **LEVEL}
    with load(ADAPTERS[1]).sandbox_workspace(client, **options) as workspace:
        takes_what_the_base_names(workspace)
        r = workspace.execute_command("pwd; exit 3")
        assert (r.stdout, r.exit_code, r.timeout_occurred) == ("/workspace\n", 3, False)
        assert workspace.execute_command("sleep 1000", cwd="/tmp", timeout=0.3).timeout_occurred
        assert workspace.execute_command(REFUSED).exit_code == 123
        (tmp_path / "here").write_bytes(b"x")
        assert workspace.file_upload(tmp_path / "here", "/workspace/d/there").file_size == 1
        assert workspace.file_download("d/there", tmp_path / "new/back").success
        assert (tmp_path / "new/back").read_bytes() == b"x"
        assert not workspace.file_download("none", tmp_path / "none").success
        workspace.pause()
        workspace.resume()
        with pytest.raises(NotImplementedError):
            workspace.git_diff("f")
    assert not client.sessions(state="running", metadata={"of": "openhands"})


def test_inspect_environment(client, monkeypatch):
    class SandboxEnvironment(abc.ABC):
        @classmethod
        @abc.abstractmethod
        async def sample_cleanup(cls, task_name: str, config: Any, environments: Any, interrupted: bool) -> None: ...

        @abc.abstractmethod
        async def exec(self, cmd: Any, input: Any, cwd: Any, env: Any, user: Any, timeout: Any) -> Any: ...

        @abc.abstractmethod
        async def write_file(self, file: str, contents: Any) -> None: ...

        @abc.abstractmethod
        async def read_file(self, file: str, text: bool = True) -> Any: ...

    registered = {}
    pretend(
        monkeypatch,
        "inspect_ai.util",
        ExecResult=record("ExecResult", "success", "returncode", "stdout", "stderr"),
        OutputLimitExceededError=type("OutputLimitExceededError", (Exception,), {}),
        SandboxEnvironment=SandboxEnvironment,
        sandboxenv=lambda name: lambda cls: registered.setdefault(name, cls),
    )
    load(ADAPTERS[2]).register(client, agent_id="inspect", **LEVEL)

    async def story():
        cls = registered["sandbox-agent"]
        environments = await cls.sample_init("task", None, {})
        box = environments["default"]
        takes_what_the_base_names(box)
        r = await box.exec(["sh", "-c", "cat; echo $V; pwd; exit 3"], input="in\n", cwd="/tmp", env={"V": "v"})
        assert (r.success, r.returncode, r.stdout) == (False, 3, "in\nv\n/tmp\n")
        with pytest.raises(TimeoutError):
            await box.exec(["sleep", "1000"], timeout=1)
        with pytest.raises(PermissionError):
            await box.exec(["bash", "-c", REFUSED])
        await box.write_file("d/f", "text")
        assert await box.read_file("d/f") == "text" and await box.read_file("/workspace/d/f", text=False) == b"text"
        for path, error in (("none", FileNotFoundError), ("d", IsADirectoryError)):
            with pytest.raises(error):
                await box.read_file(path)
        await cls.sample_cleanup("task", None, environments, False)
        return box.session

    session = asyncio.run(story())
    assert s.eventually(lambda: session.refresh().state == "ended")


class Recorded:
    """Of pydantic's models what the adapter uses."""

    def __init__(self, **members):
        self.__dict__.update(members)

    @classmethod
    def model_validate(cls, members):
        return cls(**members)


class BaseSandboxSession(abc.ABC):
    kept = None

    def _persist_workspace_skip_relpaths(self):
        return {"skip/this"}

    def _set_start_state_preserved(self, workspace, *, system=None):
        self.kept = workspace

    @abc.abstractmethod
    async def _exec_internal(self, *command: Any, timeout: Any = None) -> Any: ...

    @abc.abstractmethod
    async def read(self, path: Any, *, user: Any = None) -> Any: ...

    @abc.abstractmethod
    async def write(self, path: Any, data: Any, *, user: Any = None) -> None: ...

    @abc.abstractmethod
    async def running(self) -> bool: ...

    @abc.abstractmethod
    async def persist_workspace(self) -> Any: ...

    @abc.abstractmethod
    async def hydrate_workspace(self, data: Any) -> None: ...


class BaseSandboxClient(abc.ABC):
    def _wrap_session(self, inner, *, instrumentation=None):
        return types.SimpleNamespace(_inner=inner)

    @abc.abstractmethod
    async def create(self, *, snapshot: Any = None, manifest: Any = None, options: Any) -> Any: ...

    @abc.abstractmethod
    async def delete(self, session: Any) -> Any: ...

    @abc.abstractmethod
    async def resume(self, state: Any) -> Any: ...

    @abc.abstractmethod
    def deserialize_session_state(self, payload: Any) -> Any: ...


class Environment:
    async def resolve(self):
        return {"V": "v"}


def test_openai_sandbox_client(client, monkeypatch):
    late = type("ExecTimeoutError", (Exception,), {"__init__": lambda self, *, command, timeout_s: None})
    absent = type("WorkspaceReadNotFoundError", (Exception,), {"__init__": lambda self, *, path, cause: None})
    pretend(
        monkeypatch,
        "agents.sandbox",
        ExecResult=record("ExecResult", "stdout", "stderr", "exit_code"),
        ExecTimeoutError=late,
        Manifest=type("Manifest", (), {"environment": Environment()}),
        WorkspaceReadNotFoundError=absent,
        resolve_snapshot=lambda spec, number: (spec, number),
    )
    session_module = types.SimpleNamespace(
        BaseSandboxClient=BaseSandboxClient,
        BaseSandboxSession=BaseSandboxSession,
        SandboxSessionState=type("SandboxSessionState", (Recorded,), {"workspace_root_ready": True}),
    )
    monkeypatch.setitem(sys.modules, "agents.sandbox.session", session_module)

    async def story():
        boxes = load(ADAPTERS[3]).sandbox_client(client, agent_id="openai", ttl=600, **LEVEL)
        takes_what_the_base_names(boxes)
        wrapped = await boxes.create(options={"metadata": {"of": "openai"}})
        box = wrapped._inner
        takes_what_the_base_names(box)
        assert box.session.data["metadata"] == {"of": "openai"}
        r = await box._exec_internal("sh", "-c", "pwd; echo $V; printf '\\377' >&2", timeout=60)
        assert (r.stdout, r.stderr, r.exit_code) == (b"/workspace\nv\n", b"\xff", 0)
        for path in ("d/f", "skip/this", "skip/thisnot"):
            await box.write(path, io.BytesIO(b"bytes"))
        assert (await box.read("/workspace/d/f")).read() == b"bytes"
        with pytest.raises(absent):
            await box.read("none")
        archive = await box.persist_workspace()
        names = {m.name.removeprefix("./") for m in tarfile.open(fileobj=archive) if m.isreg()}
        assert names == {"d/f", "skip/thisnot"}
        await box._shutdown_backend()
        assert not await box.running() and box.session.state == "paused"
        again = (await boxes.resume(boxes.deserialize_session_state(vars(box.state))))._inner
        assert again.kept and again.state.workspace_root_ready and await again.running()
        await boxes.delete(wrapped)
        wrapped = await boxes.resume(again.state)  # it has ended: another one
        other = wrapped._inner
        assert not other.kept and other.session.id == other.state.sandbox_id != box.session.id
        archive.seek(0)
        await other.hydrate_workspace(archive)
        assert (await other.read("d/f")).read() == b"bytes"
        with pytest.raises(late):
            await other._exec_internal("sleep", "1000", timeout=0.3)
        assert (await other._exec_internal("sh", "-c", "exit 3")).exit_code == 3
        assert (await other._exec_internal("bash", "-c", REFUSED)).exit_code == 123
        await boxes.delete(wrapped)
        return other.session

    session = asyncio.run(story())
    assert s.eventually(lambda: session.refresh().state == "ended")
