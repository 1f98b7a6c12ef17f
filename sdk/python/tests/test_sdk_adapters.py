"""The adapters, against the documented interfaces of their frameworks: base classes as they are to a subclass; the
sandbox is the real one."""
import asyncio
import contextlib
import dataclasses
import importlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import types
from typing import Any

import pytest
import sdk_support as s

from sandbox_agent import AsyncSandbox, Sandbox

ADAPTERS = [
    "langchain/sandbox_langchain.py",
    "autogen/sandbox_autogen.py",
    "smolagents/sandbox_smolagents.py",
    "openai_agents/sandbox_openai_agents.py",
]


def load(name):
    spec = importlib.util.spec_from_file_location(name.split("/")[1][:-3], s.INTEGRATIONS / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pretend(monkeypatch, dotted, **names):
    parts = dotted.split(".")
    for i in range(len(parts)):
        module = types.ModuleType(".".join(parts[: i + 1]))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for name, value in names.items():
        setattr(sys.modules[dotted], name, value)


@pytest.mark.parametrize("name", ADAPTERS)
def test_adapter_is_short_and_imports_its_framework_only_when_used(name):
    assert len((s.INTEGRATIONS / name).read_text().splitlines()) <= 130
    before = set(sys.modules)
    load(name)
    assert not {"langchain_core", "autogen_core", "smolagents", "agents"} & (set(sys.modules) - before)


def test_langchain_tool_returns_text_and_artifact(program, monkeypatch):
    class BaseTool:
        """response_format content_and_artifact: _run returns both; arguments follow from _run's signature."""

        def invoke(self, given):
            assert self.name and self.description and self.response_format == "content_and_artifact"
            return self._run(**given)

        async def ainvoke(self, given):
            return await self._arun(**given)

    pretend(monkeypatch, "langchain_core.tools", BaseTool=BaseTool)
    tool = load(ADAPTERS[0]).sandbox_tool(Sandbox(mode="cli"), risk_level="low")
    text, artifact = tool.invoke({"code": "print(1); raise SystemExit(4)"})
    assert text == "1\n\n[error, exit code 4]" and artifact["exit_code"] == 4
    assert asyncio.run(tool.ainvoke({"code": "echo hi", "language": "bash"}))[0] == "hi\n"
    assert asyncio.run(tool.ainvoke({"code": "console.log(1)", "language": "JavaScript"}))[0] == "1\n"
    for call in (tool.invoke, lambda given: asyncio.run(tool.ainvoke(given))):
        assert call({"code": "1", "language": "cobol"})[0].startswith("not run: ")


def runs_of(place):
    """Processes that still have something to do with this test's place."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            found += (
                [pid]
                if str(place.path) in pathlib.Path("/proc", pid, "cmdline").read_bytes().decode("utf-8", "replace")
                else []
            )
    return found


def test_langchain_task_that_is_cancelled_ends_its_run(program, monkeypatch):
    pretend(monkeypatch, "langchain_core.tools", BaseTool=type("BaseTool", (), {}))
    tool = load(ADAPTERS[0]).sandbox_tool(Sandbox(mode="cli"), risk_level="low")
    gate = s.Gate(program, "langchain")

    async def story():
        task = asyncio.ensure_future(tool._arun("touch /gate/begun; sleep 600", "bash"))
        while not (gate.path / "begun").exists():
            assert not task.done(), task.result()
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    tool = load(ADAPTERS[0]).sandbox_tool(Sandbox(mode="cli"), risk_level="low", volumes=["%s:/gate:rw" % gate.path])
    asyncio.run(story())
    assert s.eventually(lambda: not runs_of(program))
    assert asyncio.run(tool._arun("echo still here", "bash"))[0] == "still here\n"


def test_autogen_executor_runs_blocks_until_one_fails_and_obeys_the_token(program, monkeypatch):
    @dataclasses.dataclass
    class CodeBlock:
        code: str
        language: str

    @dataclasses.dataclass
    class CodeResult:
        exit_code: int
        output: str

    class Token:
        def __init__(self):
            self.futures = []

        def link_future(self, future):
            self.futures.append(future)
            return future

        def cancel(self):
            for f in self.futures:
                f.cancel()

    pretend(
        monkeypatch, "autogen_core.code_executor", CodeExecutor=type("CodeExecutor", (), {}), CodeResult=CodeResult
    )

    async def story():
        executor = load(ADAPTERS[1]).sandbox_executor(AsyncSandbox(mode="cli"), risk_level="low", timeout=60)
        await executor.start()
        fine = await executor.execute_code_blocks(
            [CodeBlock("print(1)", "python"), CodeBlock("echo 2 >&2", "sh")], Token()
        )
        stopped = await executor.execute_code_blocks(
            [CodeBlock("exit 3", "bash"), CodeBlock("echo no", "bash")], Token()
        )
        with pytest.raises(ValueError):
            await executor.execute_code_blocks([CodeBlock("x", "cobol")], Token())
        with pytest.raises(asyncio.TimeoutError):
            hasty = load(ADAPTERS[1]).sandbox_executor(AsyncSandbox(mode="cli"), risk_level="low", timeout=0.3)
            await hasty.execute_code_blocks([CodeBlock("sleep 60", "bash")], Token())
        token = Token()
        task = asyncio.ensure_future(executor.execute_code_blocks([CodeBlock("sleep 60", "bash")], token))
        await asyncio.sleep(0.3)
        token.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await executor.restart()
        await executor.stop()
        return fine, stopped

    fine, stopped = asyncio.run(story())
    assert fine == CodeResult(0, "1\n2\n") and stopped == CodeResult(3, "")


@dataclasses.dataclass
class Block:
    code: str
    language: str


@pytest.fixture
def autogen(program, monkeypatch):
    """As far as a component sees it: dump_component() of its ComponentBase, and loading by provider."""

    class CodeExecutor:
        def dump_component(self):
            provider = "%s.%s" % (type(self).__module__, type(self).__qualname__)
            assert "<locals>" not in provider and self.component_type == "code_executor"
            return {"provider": provider, "config": self._to_config().model_dump(exclude_none=True)}

    result = dataclasses.make_dataclass("CodeResult", ["exit_code", "output"])
    pretend(monkeypatch, "autogen_core.code_executor", CodeExecutor=CodeExecutor, CodeResult=result)
    module = load(ADAPTERS[1])
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def run_block(executor, code, language="bash"):
    return executor.execute_code_blocks(
        [Block(code, language)], types.SimpleNamespace(link_future=lambda future: future)
    )


def test_autogen_executor_starts_again_after_stop(autogen, monkeypatch):
    async def story(executor):
        seen = []
        for again in (executor.start, executor.restart, executor.start):
            await again()
            seen.append((await run_block(executor, "echo hi", "SH")).output)
            await executor.stop()
            await executor.stop()
        return seen

    monkeypatch.setenv("SANDBOX_AGENT_URL", "")
    assert asyncio.run(story(autogen.sandbox_executor(risk_level="low"))) == ["hi\n"] * 3

    async def with_a_given_one():
        async with AsyncSandbox(mode="cli") as box:
            seen = await story(autogen.sandbox_executor(box, risk_level="low"))
            return seen, (await box.execute("bash", "echo open", risk_level="low")).stdout

    assert asyncio.run(with_a_given_one()) == (["hi\n"] * 3, "open\n")


def test_autogen_executor_is_stored_and_loaded_as_a_component(autogen, program):
    box = AsyncSandbox(api_key="sa_secret", mode="cli", timeout=7)
    dumped = autogen.sandbox_executor(box, risk_level="low", agent_id="stored").dump_component()
    assert json.loads(json.dumps(dumped)) == dumped and "sa_secret" not in str(dumped)
    module, _, name = dumped["provider"].rpartition(".")
    kind = getattr(importlib.import_module(module), name)
    again = kind._from_config(kind.component_config_schema(**dumped["config"]))
    assert isinstance(again, kind) and again.dump_component() == dumped
    assert asyncio.run(run_block(again, "echo hi")).output == "hi\n"
    assert Sandbox(mode="cli").agent("stored").runs == 1


def test_smolagents_executor_keeps_state_between_steps_and_knows_the_final_answer(program, monkeypatch):
    @dataclasses.dataclass
    class CodeOutput:
        output: Any
        logs: str
        is_final_answer: bool

    pretend(
        monkeypatch,
        "smolagents.local_python_executor",
        CodeOutput=CodeOutput,
        PythonExecutor=type("PythonExecutor", (), {}),
    )
    executor = load(ADAPTERS[2]).sandbox_executor(Sandbox(mode="cli"), risk_level="medium")
    executor.send_tools({"final_answer": object()})
    executor.send_variables({"start": [1, 2]})
    first = executor(
        "import math\ndef double(x):\n    return [math.floor(2 * i) for i in x]\nnow = double(start)\nprint(now)"
    )
    assert first == CodeOutput(None, "[2, 4]\n", False)
    with pytest.raises(RuntimeError, match="ValueError: oops"):
        executor("later = 5\nraise ValueError('oops')")
    assert executor("final_answer({'sum': sum(double(now)) + later})") == CodeOutput({"sum": 17}, "", True)
    with pytest.raises(ValueError, match="search"):
        executor.send_tools({"search": object()})
    calls = []
    executor.send_tools({"search": lambda query, limit=3: calls.append(query) or {(query, limit)}})
    found = executor(
        "from __future__ import annotations\nhits = [search(q, limit=2) for q in 'ab']\nprint('once')\n"
        "hits  # the last expression"
    )
    assert found == CodeOutput([{("a", 2)}, {("b", 2)}], "once\n", False) and calls == ["a", "b"]
    kept = executor("m = (i for i in hits)\nnow")
    assert (
        kept.output == [2, 4]
        and kept.logs == "\n[variable m does not last: generator: cannot pickle 'generator' object]"
    )
    assert executor("class Odd:\n    pass\nOdd()").logs.startswith(
        "\n[the value is of type __main__.Odd, which cannot leave the sandbox"
    )
    executor.cleanup()


def test_openai_shell_tool_answers_each_command(program, monkeypatch):
    def record(*names):
        return dataclasses.make_dataclass("R", [(n, Any, dataclasses.field(default=None)) for n in names])

    pretend(
        monkeypatch,
        "agents",
        ShellResult=record("output"),
        ShellCommandOutput=record("stdout", "stderr", "outcome"),
        ShellCallOutcome=record("type", "exit_code"),
        ShellTool=record("executor"),
    )
    tool = load(ADAPTERS[3]).sandbox_shell_tool(AsyncSandbox(mode="cli"), risk_level="low")

    def run(timeout_ms, *commands):
        action = types.SimpleNamespace(commands=list(commands), timeout_ms=timeout_ms, max_output_length=100)
        return asyncio.run(tool.executor(types.SimpleNamespace(data=types.SimpleNamespace(action=action)))).output

    one, two = run(60000, "echo out; echo err >&2; exit 2", "echo two")
    assert (one.stdout, one.stderr, one.outcome.type, one.outcome.exit_code) == ("out\n", "err\n", "exit", 2)
    assert (two.stdout, two.outcome.exit_code) == ("two\n", 0)
    assert [late.outcome.type for late in run(300, "sleep 60")] == ["timeout"]


def test_framework_that_is_missing_is_an_import_error_when_used():
    code = "import sys; sys.path.insert(0, %r); import sandbox_openai_agents as m; m.sandbox_shell_tool()" % str(
        s.INTEGRATIONS / "openai_agents"
    )
    out = subprocess.run(
        [sys.executable, "-S", "-c", "import sys; sys.path.insert(0, %r); %s" % (str(s.ROOT / "sdk/python"), code)],
        capture_output=True,
        text=True,
    )
    assert "No module named 'agents'" in out.stderr
