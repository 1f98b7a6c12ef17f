"""The interface as such: types, docstrings, what the import costs, pickling, names of languages, levels, closed
clients."""
import asyncio
import concurrent.futures
import copy
import email.utils
import importlib
import inspect
import multiprocessing
import os
import pickle
import pkgutil
import statistics
import subprocess
import sys
import time

import pytest
import sdk_support as s

import sandbox_agent
from sandbox_agent import (
    AsyncContext,
    AsyncExecution,
    AsyncFiles,
    AsyncProcess,
    AsyncSandbox,
    AsyncSession,
    Context,
    Execution,
    Files,
    Process,
    Session,
    ExecutionFailed,
    ExecutionResult,
    InvalidRequest,
    RateLimited,
    Sandbox,
    SandboxError,
    Unavailable,
    errors,
    request,
)
from sandbox_agent.agixt import SandboxExecutor

SDK = s.ROOT / "sdk/python"
OK = s.answer(200, s.RESULT)
MODULES = [
    importlib.import_module("sandbox_agent." + m.name)
    for m in pkgutil.iter_modules(sandbox_agent.__path__)
    if not m.name.startswith("_")
]


# ---- docstrings and types ----


def members(owner):
    """Public functions, properties and class methods that a class defines itself."""
    for name, value in vars(owner).items():
        inner = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(inner):
            yield name, inner


def described():
    for module in MODULES:
        for name, value in vars(module).items():
            if (
                name.startswith("_")
                or getattr(value, "__module__", None) != module.__name__
                or not (inspect.isclass(value) or inspect.isfunction(value))
            ):
                continue
            yield "%s.%s" % (module.__name__, name), value, None
            for inner, function in members(value) if inspect.isclass(value) else ():
                yield "%s.%s.%s" % (module.__name__, name, inner), function, getattr(value, inner)


def test_every_public_class_function_and_method_has_a_docstring():
    found = list(described())
    assert len(found) > 200
    missing = [
        name
        for name, value, inherited in found
        if not (inspect.getdoc(inherited if inherited is not None else value) or "").strip()
    ]
    assert not missing
    exported = {getattr(sandbox_agent, n) for n in sandbox_agent.__all__ if inspect.isclass(getattr(sandbox_agent, n))}
    bare = ["%s.%s" % (c.__name__, n) for c in exported for n, f in members(c) if not f.__doc__]
    assert not bare and all(vars(c).get("__doc__") for c in exported)


def test_no_public_call_swallows_arguments_and_all_are_annotated():
    """So that a type checker sees `tiemout=`."""
    loose, bare = [], []
    for name, value, _ in described():
        if inspect.isclass(value):
            continue
        for parameter in inspect.signature(value).parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                loose.append(name)
            if parameter.annotation is parameter.empty and parameter.name not in ("self", "cls"):
                bare.append("%s(%s)" % (name, parameter.name))
        if inspect.signature(value).return_annotation is inspect.Signature.empty:
            bare.append(name)
    for c in (Sandbox, AsyncSandbox, SandboxExecutor):
        assert all(p.kind is not p.VAR_KEYWORD for p in inspect.signature(c).parameters.values())
    assert not loose and not bare


def test_each_way_to_run_takes_the_same_arguments():
    def names(f):
        return set(inspect.signature(f).parameters) - {"self", "language", "code"}

    everything = names(Sandbox.execute)
    assert (
        names(AsyncSandbox.execute) == names(SandboxExecutor.execute) == names(SandboxExecutor.aexecute) == everything
    )
    of_a_run = everything - {"on_stdout", "on_stderr", "on_event", "wait", "check", "cancel"}
    for f in (Sandbox.stream, Sandbox.submit, AsyncSandbox.stream, AsyncSandbox.submit):
        assert names(f) == of_a_run
    assert names(request.build) == of_a_run - {"idempotency_key"}


def test_the_client_for_asyncio_has_all_that_the_blocking_one_has():
    def calls(c):
        return {n: f for n, f in inspect.getmembers(c, inspect.isfunction) if not n.startswith("_")}

    def names(f):
        return set(inspect.signature(f).parameters) - {"cancel"}  # the task's own cancellation

    for blocking, own in (
        (Sandbox, AsyncSandbox),
        (Session, AsyncSession),
        (Context, AsyncContext),
        (Process, AsyncProcess),
        (Files, AsyncFiles),
        (Execution, AsyncExecution),
    ):
        missing = {n for n, f in calls(blocking).items() if n not in calls(own) or names(f) != names(calls(own)[n])}
        assert missing <= {"outcome", "close"}, (own, missing)  # aclose()


PROGRAM = """\
import asyncio
from agixt.sandbox import SandboxExecutor
from sandbox_agent import AsyncSandbox, Sandbox

s, a, e = Sandbox(), AsyncSandbox(), SandboxExecutor()
s.execute("bash", "x", timeout=1).check()
s.execute("bash", "x", tiemout=1)
s.stream("bash", "x", tiemout=1)
s.submit("bash", "x", tiemout=1)
s.executions(tiemout=1)
s.audit(tiemout=1)
Sandbox(tiemout=1)
AsyncSandbox(tiemout=1)
SandboxExecutor(tiemout=1)
e.execute("bash", "x", tiemout=1)
s.stream("bash", "x", timeout="soon")


async def story() -> str:
    await a.execute("bash", "x", timeout=1)
    await a.execute("bash", "x", tiemout=1)
    a.stream("bash", "x", tiemout=1)
    await a.submit("bash", "x", tiemout=1)
    await a.executions(tiemout=1)
    await a.audit(tiemout=1)
    await e.aexecute("bash", "x", tiemout=1)
    session = await a.create_session(ttl=1)
    await a.create_session(tiemout=1)
    await session.execute("x", timeout=1)
    await session.execute("x", tiemout=1)
    session.stream("x", tiemout=1)
    await (await session.start("x", stdin=True)).write("x", tiemout=1)
    await (await session.create_context()).execute("x", tiemout=1)
    await session.files.write("x", "y", tiemout=1)
    async for event in session.stream("x"):
        event.type
    return (await a.execute("bash", "x", strict_limits=True)).stdout
"""


def test_mypy_finds_a_misspelt_argument(tmp_path):
    program = tmp_path / "user.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--namespace-packages",
            "--explicit-package-bases",
            "--cache-dir",
            str(tmp_path / "cache"),
            str(program),
        ],
        cwd=SDK,
        env={**os.environ, "MYPYPATH": str(SDK)},
        capture_output=True,
        text=True,
    )
    if "No module named mypy" in done.stderr:
        s.skip("mypy is not installed (apt-get install mypy)")
    wrong = [n for n, line in enumerate(PROGRAM.splitlines(), 1) if "tiemout" in line or "soon" in line]
    found = sorted({int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error: " in line})
    assert found == wrong, done.stdout


# ---- what the import costs ----


def python(code, *flags):
    return subprocess.run(
        [sys.executable, "-I", *flags, "-c", "import sys; sys.path.insert(0, %r)\n%s" % (str(SDK), code)],
        capture_output=True,
        text=True,
        check=True,
    )


def test_import_loads_nothing_that_it_does_not_need():
    heavy = "{'asyncio', 'ssl', 'http.client', 'subprocess', 'inspect', " \
            "'dataclasses', 'concurrent.futures', 'email', 'urllib.request', 'logging'}"
    assert (
        python(
            "import sandbox_agent; print(sorted(({'typing', 'json', 're'} | %s) & set(sys.modules)))" % heavy, "-S"
        ).stdout
        == "[]\n"
    )
    for code in (
        "from sandbox_agent import Sandbox; Sandbox('http://127.0.0.1:1', 'k')",
        "from agixt.sandbox import SandboxExecutor",
    ):
        assert python("%s; print(sorted(%s & set(sys.modules)))" % (code, heavy), "-S").stdout == "[]\n"


def test_import_costs_at_most_three_times_an_empty_program():
    """Medians of runs that alternate, so that a busy machine slows both."""
    code = "import sys; sys.path.insert(0, %r); " % str(SDK)

    def run(what):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code + what], check=True)
        return time.perf_counter() - begin

    run("import sandbox_agent")  # compiles it
    for _ in range(5):
        pairs = [(run("pass"), run("import sandbox_agent")) for _ in range(15)]
        ratio = statistics.median(b for _, b in pairs) / statistics.median(a for a, _ in pairs)
        if ratio <= 3:
            return
    assert ratio <= 3


def test_every_exported_name_is_there_and_no_other():
    assert {n for n in sandbox_agent.__all__ if not hasattr(sandbox_agent, n)} == set() and set(
        sandbox_agent.__all__
    ) <= set(dir(sandbox_agent))
    with pytest.raises(AttributeError, match="no_such_name"):
        sandbox_agent.no_such_name
    assert (
        python("from sandbox_agent import *; print(Sandbox.__name__, AsyncSandbox.__name__)").stdout
        == "Sandbox AsyncSandbox\n"
    )


# ---- pickling ----


def failed(result):
    raise ExecutionFailed(ExecutionResult(result))


ERRORS = [
    ExecutionFailed(ExecutionResult(dict(s.RESULT, reason="error", exit_code=3, stderr="Traceback\nValueError: x\n"))),
    *[
        getattr(errors, n)(
            "because",
            "code",
            {"remedy": "help", "findings": [{"rule": "r"}], "retry_after_seconds": 3, "execution_id": "e"},
            403,
            True,
        )
        for n in errors.__all__
        if n not in ("ExecutionFailed", "error_from")
    ],
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_errors_survive_pickling_and_copying(error):
    error.note = "kept"
    for other in [pickle.loads(pickle.dumps(error, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)] + [
        copy.copy(error),
        copy.deepcopy(error),
    ]:
        assert (
            type(other) is type(error)
            and str(other) == str(error)
            and other.args == error.args
            and vars(other) == vars(error)
        )


def test_execution_failed_comes_out_of_another_process():
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(ExecutionFailed, match="exit code 3") as e:
            pool.submit(failed, dict(s.RESULT, reason="error", exit_code=3)).result(120)
    assert e.value.result.exit_code == 3 and isinstance(e.value.result, ExecutionResult)


# ---- languages, levels, limits ----


@pytest.mark.parametrize(
    "given, name",
    [
        ("Python", "python"),
        ("py", "python"),
        ("python3", "python"),
        ("PY", "python"),
        ("javascript", "node"),
        ("JS", "node"),
        ("Node", "node"),
        ("nodejs", "node"),
        ("sh", "bash"),
        ("Shell", "bash"),
        ("golang", "go"),
        ("Go", "go"),
        ("rs", "rust"),
        ("RUST", "rust"),
        (" bash ", "bash"),
    ],
)
def test_languages_have_aliases(fake, given, name):
    server = fake(OK, s.answer(200, {"findings": [], "risk_increase": 0}))
    with Sandbox(server.url) as box:
        box.execute(given, "1")
        box.scan(given, "1")
    assert [r[3]["language"] for r in server.requests] == [name, name]


def test_unknown_language_is_left_to_the_service_and_none_is_refused(fake):
    server = fake(s.error(422, "invalid_value", "language: Cobol is not known"))
    with pytest.raises(InvalidRequest, match="Cobol"):
        Sandbox(server.url).execute("Cobol", "1")
    assert server.requests[0][3]["language"] == "Cobol"
    with pytest.raises(InvalidRequest, match="language None"):
        Sandbox(server.url).execute(None, "1")


@pytest.mark.parametrize(
    "wanted, asked, sent",
    [
        ("", None, None),
        ("", "low", "low"),
        ("low", None, "low"),
        ("low", "high", "high"),
        ("high", "low", "high"),
        ("medium", "medium", "medium"),
        (" High ", None, "high"),
        ("high", "odd", "odd"),
    ],
)
def test_level_of_the_environment_holds_for_every_run_and_only_makes_it_stricter(
    fake, monkeypatch, wanted, asked, sent
):
    monkeypatch.setenv("SANDBOX_AGENT_RISK_LEVEL", wanted)
    server = fake(
        OK, s.events(("result", {"result": s.RESULT})), s.answer(202, {"execution_id": "e", "state": "queued"}), OK, OK
    )
    with Sandbox(server.url) as box:
        box.execute("bash", "1", risk_level=asked)
        list(box.stream("bash", "1", risk_level=asked))
        box.submit("bash", "1", risk_level=asked)
    with SandboxExecutor(url=server.url) as executor:
        executor.execute("bash", "1", risk_level=asked)
        asyncio.run(executor.aexecute("bash", "1", risk_level=asked))
    assert [r[3].get("risk_level") for r in server.requests] == [sent] * 5


def test_level_of_the_environment_that_is_none_is_an_error(fake, monkeypatch):
    monkeypatch.setenv("SANDBOX_AGENT_RISK_LEVEL", "lax")
    with pytest.raises(InvalidRequest, match="SANDBOX_AGENT_RISK_LEVEL 'lax': expected low, medium or high"):
        Sandbox(fake().url).execute("bash", "1")


def test_limits_that_were_lowered_are_told_and_strict_limits_are_asked_for(fake):
    clamped = [{"field": "timeout", "requested": 3600, "granted": 120}]
    server = fake(s.answer(200, dict(s.RESULT, limits_clamped=clamped)), OK, OK)
    with Sandbox(server.url) as box:
        lowered = box.execute("bash", "1", timeout=3600).limits_clamped
        assert lowered == clamped and lowered[0].field == "timeout" and lowered[0].granted == 120
        assert box.execute("bash", "1", timeout=3600, strict_limits=True).limits_clamped == []
        box.execute("bash", "1", strict_limits=False)
    assert [r[3].get("strict_limits") for r in server.requests] == [None, True, None]
    assert server.requests[0][3]["limits"] == {"timeout": 3600}


# ---- closed clients, dates ----


def closed(call):
    with pytest.raises(SandboxError, match="this client was closed") as e:
        call()
    assert e.value.code == "closed" and e.value.retry_safe


def test_closed_client_says_so(fake, program):
    for box in (Sandbox(fake(OK).url), Sandbox(mode="cli")):
        box.close()
        box.close()
        for call in (
            lambda: box.execute("bash", "1"),
            lambda: box.stream("bash", "1"),
            lambda: box.submit("bash", "1"),
            lambda: box.mode,
            lambda: box.health(),
            lambda: box.scan("bash", "1"),
            box.__enter__,
        ):
            closed(call)
    executor = SandboxExecutor(mode="cli")
    executor.close()
    closed(lambda: executor.execute("bash", "1"))
    with Sandbox(mode="cli") as box:
        backend = box._chosen()
    closed(lambda: backend.scan("bash", "1"))


def test_closed_async_client_says_so(fake):
    async def story():
        a = AsyncSandbox(fake(OK).url)
        async with a:
            pass
        await a.aclose()
        for call in (
            lambda: a.execute("bash", "1"),
            lambda: a.submit("bash", "1"),
            lambda: a.health(),
            lambda: a.stream("bash", "1").__anext__(),
        ):
            with pytest.raises(SandboxError, match="this client was closed"):
                await call()

    asyncio.run(story())


def test_client_around_another_leaves_it_open(fake):
    async def story(box):
        async with AsyncSandbox.around(box) as a:
            assert (await a.execute("bash", "1")).ok

    with Sandbox(fake(OK, OK).url) as box:
        asyncio.run(story(box))
        assert box.execute("bash", "1").ok


def test_arguments_make_the_same_client_and_are_without_the_key(fake):
    server = fake(OK)
    box = Sandbox(server.url, "sa_secret", timeout=7, retries=1)
    assert "sa_secret" not in repr(box.arguments())
    assert (
        Sandbox(**box.arguments()).execute("bash", "1").ok
        and Sandbox(**box.arguments()).arguments() == box.arguments()
    )


DAY = "Sun, 22 Nov 2026 15:00:00 GMT"


@pytest.mark.parametrize(
    "headers, seconds",
    [
        (["Retry-After: 30"], 30),
        (["Retry-After: Sun, 22 Nov 2026 15:02:05 GMT", "Date: " + DAY], 125),
        (["Retry-After: Sun, 22 Nov 2026 14:00:00 GMT", "Date: " + DAY], 0),
        (["Retry-After: Sunday, 22-Nov-26 15:02:05 GMT", "Date: " + DAY], 125),
        (["Retry-After: soon"], None),
        (["Retry-After: Sun, 99 Nov 2026 15:02:05 GMT"], None),
        ([], None),
    ],
)
@pytest.mark.parametrize("status, kind", [(429, RateLimited), (503, Unavailable)])
def test_retry_after_is_a_number_or_a_date(fake, headers, seconds, status, kind):
    with pytest.raises(kind) as e:
        Sandbox(
            fake(s.error(status, "rate_limited" if status == 429 else "unavailable", "no", {}, *headers)).url,
            retries=0,
        ).execute("bash", "1")
    assert e.value.retry_after == seconds


def test_retry_after_as_a_date_is_waited_for(fake):
    server = fake(
        s.error(503, "unavailable", "no", {}, "Retry-After: " + email.utils.formatdate(time.time() + 2, usegmt=True)),
        OK,
    )
    begin = time.monotonic()
    assert Sandbox(server.url).execute("python", "1").ok
    assert time.monotonic() - begin > 0.9 and len(server.requests) == 2
