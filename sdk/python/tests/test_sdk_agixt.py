"""AGiXT: the import path beside its own package, an extension that its loader accepts, and the seven names of
safeexecute."""
import ast
import asyncio
import hashlib
import importlib.util
import inspect
import os
import shutil
import subprocess
import sys
import types

import agixt_loader
import pytest
import sdk_support as s

from sandbox_agent import InvalidRequest, Sandbox, SandboxError, workspace

EXTENSION = s.INTEGRATIONS / "agixt/extensions/agent_sandbox.py"
SDK = s.ROOT / "sdk/python"
IMPORT = "from agixt.sandbox import SandboxExecutor, ExecutionResult, SandboxError; print(SandboxExecutor.__module__)"


# ---- from agixt.sandbox import … ----


def install(target):
    for package in ("sandbox_agent", "agixt"):
        shutil.copytree(
            SDK / package, target / package, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
        )


def pip_agixt(target):
    """What PyPI's package of that name looks like: a regular one, with an empty __init__.py."""
    (target / "agixt").mkdir(parents=True, exist_ok=True)
    (target / "agixt/__init__.py").write_text("")
    (target / "agixt/theirs.py").write_text("x = 1\n")


def python(code, *path):
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; sys.path[:0] = %r\n%s" % ([str(p) for p in path], code)],
        capture_output=True,
        text=True,
        cwd="/",
    )


def test_import_works_alone(tmp_path):
    install(tmp_path)
    assert python(IMPORT, tmp_path).stdout == "sandbox_agent.agixt\n"
    assert not (SDK / "agixt/__init__.py").exists()


def test_import_works_beside_pips_agixt_in_one_directory(tmp_path):
    pip_agixt(tmp_path)
    install(tmp_path)
    assert python(IMPORT + "; import agixt.theirs", tmp_path).stdout == "sandbox_agent.agixt\n"


@pytest.mark.parametrize("ours_first", [True, False])
def test_split_installation_needs_the_hook_and_works_with_it(tmp_path, ours_first):
    install(tmp_path / "ours")
    pip_agixt(tmp_path / "theirs")
    path = [tmp_path / "ours", tmp_path / "theirs"][:: 1 if ours_first else -1]
    assert "No module named 'agixt.sandbox'" in python(IMPORT, *path).stderr
    hooked = python("import sandbox_agent.agixt_hook\n" + IMPORT + "; import agixt.theirs", *path)
    assert hooked.stdout == "sandbox_agent.agixt\n", hooked.stderr


def test_hook_twice_is_one_hook(tmp_path):
    install(tmp_path)
    out = python(
        "import sandbox_agent.agixt_hook as h; n = len(sys.meta_path); h.install(); print(len(sys.meta_path) - n)",
        tmp_path,
    )
    assert out.stdout == "0\n"


# ---- the extension, by the documented rules of AGiXT's loader (which parses, and never imports to discover) ----


def discovered(path):
    """Class, commands and settings as the loader finds them, or AssertionError."""
    tree = ast.parse(path.read_text())
    name = path.stem.lower()
    classes = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name]
    assert classes and [b.id for b in classes[0].bases if isinstance(b, ast.Name)] == ["Extensions"]
    body = classes[0].body
    constants = {
        t.id: n.value.value
        for n in body
        if isinstance(n, ast.Assign)
        for t in n.targets
        if isinstance(n.value, ast.Constant)
    }
    assert isinstance(constants["CATEGORY"], str) and isinstance(constants["friendly_name"], str)
    init = next(n for n in body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
    assert init.args.kwarg and init.args.kwarg.arg == "kwargs"
    settings = [a.arg for a in init.args.args if a.arg != "self"]
    commands = None
    for n in ast.walk(init):
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Attribute) and n.targets[0].attr == "commands":
            assert isinstance(n.value, ast.Dict)
            commands = {
                k.value: v.attr
                for k, v in zip(n.value.keys, n.value.values)
                if isinstance(k, ast.Constant) and isinstance(v, ast.Attribute)
            }
            assert len(commands) == len(n.value.keys)
    methods = {n.name: n for n in body if isinstance(n, ast.AsyncFunctionDef)}
    for method in commands.values():
        assert method in methods and not methods[method].args.kwonlyargs
        assert "Args:" in ast.get_docstring(methods[method]) and "Returns:" in ast.get_docstring(methods[method])
        assert isinstance(methods[method].returns, ast.Name) and methods[method].returns.id == "str"
    return name, commands, settings


@pytest.fixture
def extension(monkeypatch):
    """The class, with AGiXT's `Extensions` as it is to an extension: a base class that does nothing."""
    stub = types.ModuleType("Extensions")
    stub.Extensions = type("Extensions", (), {})
    monkeypatch.setitem(sys.modules, "Extensions", stub)
    spec = importlib.util.spec_from_file_location("agent_sandbox", EXTENSION)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.agent_sandbox


def call(instance, command, /, **given):
    """As AGiXT does it: what is missing arrives as None, what is given is converted to the annotation."""
    method = instance.commands[command]
    arguments = {}
    for name, parameter in inspect.signature(method).parameters.items():
        arguments[name] = parameter.annotation(given[name]) if name in given else None
    return asyncio.run(method(**arguments))


def test_loader_discovers_class_commands_and_settings():
    name, commands, settings = discovered(EXTENSION)
    assert name == "agent_sandbox"
    assert set(commands) == {"Execute Code in Sandbox", "Run Shell in Sandbox", "Scan Code", "Get Sandbox Execution"}
    assert settings == ["SANDBOX_AGENT_URL", "SANDBOX_AGENT_API_KEY", "SANDBOX_AGENT_RISK_LEVEL"]


def test_extension_has_its_directory_for_itself():
    """EXTENSIONS_HUB takes every *.py below it."""
    assert [p.name for p in EXTENSION.parent.rglob("*.py")] == ["agent_sandbox.py"]


def test_commands_run_with_missing_arguments(extension, program):
    e = extension(
        SANDBOX_AGENT_URL="", SANDBOX_AGENT_API_KEY="", SANDBOX_AGENT_RISK_LEVEL="low", agent_name="x", ApiClient=None
    )
    assert call(e, "Execute Code in Sandbox", code="print(6*7)").startswith("42\nExecution: exec-")
    assert call(
        e, "Execute Code in Sandbox", language="bash", code="cat; exit 3", stdin="in", timeout="20"
    ).startswith("in\nEnded: error, exit code 3")
    assert call(e, "Run Shell in Sandbox", command="echo hi; echo no >&2").startswith("hi\nErrors:\nno\n")
    assert "Risk: +0.000" in call(e, "Scan Code", code="import os; os.system('x')")  # a need, no suspicion
    assert "Risk: +0.000" not in call(e, "Scan Code", code="open('/etc/shadow').read()")
    for command in e.commands:
        assert isinstance(call(e, command), str)
    assert "needs_service" in call(e, "Get Sandbox Execution", execution_id="exec-1")


def test_refusals_are_text(extension, program):
    e = extension(SANDBOX_AGENT_RISK_LEVEL="high")
    assert call(e, "Execute Code in Sandbox", code="import socket").startswith("The code was not run: policy_denied")


def test_files_of_the_program_come_back_as_links(extension, program, tmp_path):
    directory = tmp_path / "conversation"
    directory.mkdir()
    e = extension(
        SANDBOX_AGENT_RISK_LEVEL="low", conversation_directory=str(directory), output_url="http://agixt/outputs/"
    )
    text = call(e, "Run Shell in Sandbox", command="mkdir -p a; echo data > 'a/b c.txt'; ln -s /etc/passwd link")
    (name,) = os.listdir(directory)
    assert name.endswith("-a_b_c.txt")
    assert "[a/b c.txt](http://agixt/outputs/%s)" % name in text and (directory / name).read_text() == "data\n"


def test_agent_is_agixts(extension, program):
    e = extension(agent_id="4d5c-agent")
    assert call(e, "Run Shell in Sandbox", command="echo hi").startswith("hi")
    assert Sandbox(mode="cli").agent("4d5c-agent").runs == 1


# ---- safeexecute ----


@pytest.fixture
def safe(program, monkeypatch):
    monkeypatch.syspath_prepend(str(s.INTEGRATIONS / "agixt/safeexecute"))
    monkeypatch.setenv("SANDBOX_AGENT_WORKSPACE_ROOTS", str(program.workspaces))
    import safeexecute

    return safeexecute


def test_seven_names_have_the_signatures_that_agixt_calls(safe):
    def names(f):
        return list(inspect.signature(f).parameters)

    assert names(safe.execute_python_code) == ["code", "working_directory", "github_token"]
    assert names(safe.execute_shell_command) == [
        "command",
        "working_directory",
        "agent_id",
        "conversation_id",
        "github_token",
        "timeout",
    ]
    assert (
        safe.repair_workspace_permissions("/x") is True
        and safe.install_docker_image() is None
        and isinstance(safe.IMAGE_NAME, str)
    )
    for f in (safe.execute_openai_codex, safe.execute_github_copilot):
        assert set(f("x", y=1)) == {"response", "session_id", "success"} and f()["success"] is False


def test_python_works_in_the_workspace(safe, program):
    w = program.workspace("conversation")
    text = safe.execute_python_code(
        "Here:\n```python\nopen('made.txt', 'w').write('x')\nprint(open('%s/made.txt').read())\n"
        "print('\\033[31mred\\033[0m')\n```\nDone."
        % w,
        working_directory=str(w),
    )
    assert text == "x\nred"
    assert (w / "made.txt").read_text() == "x"


def test_only_whole_paths_are_rewritten(safe):
    assert safe._inside("/d/ws/a /d/ws2 x/d/ws '/d/ws'", ["/d/ws"]) == "/workspace/a /d/ws2 x/d/ws '/workspace'"


def test_shell_works_in_the_workspace_under_the_agents_name(safe, program):
    w = program.workspace("shell")
    assert (
        safe.execute_shell_command(
            "pwd; echo hi > f; cat %s/f" % w, working_directory=str(w), agent_id="a1", conversation_id="c"
        )
        == "/workspace\nhi"
    )
    assert (w / "f").read_text() == "hi\n"


def test_directories_beside_the_allowed_ones_are_refused_also_through_links(safe, program):
    outside = program.path / "outside"
    outside.mkdir(mode=0o777)
    link = program.workspaces / "link"
    link.symlink_to(outside)
    for directory in (str(outside), str(link), str(program.workspaces) + "/../outside", "/", "/etc", "/nonexistent"):
        text = safe.execute_shell_command("echo got in", working_directory=directory)
        assert text.startswith("Code Execution Failed: workspace_refused") and "got in" not in text
    assert os.listdir(outside) == []


def test_token_is_not_forwarded(safe, program):
    text = safe.execute_shell_command("env; cat /proc/self/cmdline | tr '\\0' ' '", github_token="ghp_secret")
    assert "PATH=" in text and "ghp_secret" not in text


def test_failures_are_text(safe, monkeypatch, unused_port):
    assert "Code Execution Failed: error, exit code 1" in safe.execute_python_code("raise ValueError('x')")
    assert "timeout" in safe.execute_shell_command("sleep 30", timeout=1)
    assert safe.execute_python_code("pip install evil\nprint(1)").startswith("(not installed: evil")
    assert safe.execute_python_code(None).startswith("Code Execution Failed")
    monkeypatch.setenv("SANDBOX_AGENT_URL", "http://127.0.0.1:%d" % unused_port)
    assert safe.execute_python_code("print(1)").startswith("Code Execution Failed: unavailable")
    monkeypatch.setenv("SANDBOX_AGENT_URL", "nonsense")
    assert safe.execute_python_code("print(1)").startswith("Code Execution Failed: bad_configuration")


def test_nonzero_exit_of_a_command_is_a_normal_result(safe):
    """grep that finds nothing."""
    assert safe.execute_shell_command("echo one; grep two /dev/null") == "one\n(exit code 1)"
    assert safe.execute_shell_command("kill -9 $$").startswith("Code Execution Failed: signal")


def test_level_of_the_environment_holds_with_and_without_an_agent(safe, monkeypatch):
    monkeypatch.setenv("SANDBOX_AGENT_RISK_LEVEL", "high")
    for text in (safe.execute_shell_command("true; curl x", agent_id="a"), safe.execute_python_code("import socket")):
        assert "policy_denied" in text and "high" in text
    monkeypatch.setenv("SANDBOX_AGENT_RISK_LEVEL", "none")
    assert "SANDBOX_AGENT_RISK_LEVEL 'none'" in safe.execute_shell_command("true")


# ---- whose run it is, and where ----

ID = "0b6e6a3e-6f0c-4b5e-9a51-6d6f3c1f7d10"
HASH = "agent_" + hashlib.sha256(ID.encode()).hexdigest()[:16]


class Ability:
    """As AGiXT's own extension calls: with the name, and for Python with nothing."""

    agent_name = "gpt4free"

    def __init__(self, agent_id):
        self.agent_id = agent_id

    def whose(self, given, directory):
        return (lambda: workspace.find_agent(given, directory))()


@pytest.mark.parametrize(
    "given, directory, found",
    [
        (None, None, None),
        ("name", None, "name"),
        ("name", "/w/conversation", "name"),
        (ID, "/W/%s/c" % HASH, ID),
        ("gpt4free", "/W/WORKSPACE/%s/c" % ID, ID),
        (None, "/W/%s/c" % ID, ID),
        ("gpt4free", "/W/agent_0123456789abcdef/c", "agent_0123456789abcdef"),
        (None, "/W/agent_0123456789abcdef/c", "agent_0123456789abcdef"),
        (None, "/W/conversations/%s" % ID, None),
    ],
)
def test_agent_is_its_id_wherever_that_is_known(monkeypatch, given, directory, found):
    monkeypatch.setattr(workspace, "_known", {})
    assert workspace.find_agent(given, directory) == found
    assert Ability(ID).whose(given, directory) == ID
    assert workspace.find_agent("gpt4free", "/W/%s/c" % HASH) == ID  # seen before
    assert Ability(None).whose(given, directory) == found


def test_workspace_is_made_below_the_root_and_given_to_its_owner(monkeypatch, place, tmp_path):
    root, outside = place.path / "root", place.path / "outside"
    root.mkdir()
    outside.write_text("host's")
    ours = root / "agent" / "conversation"
    ours.mkdir(parents=True)
    (ours / "deep").mkdir()
    (ours / "deep/file").write_text("x")
    (ours / "link").symlink_to(outside)
    os.link(outside, ours / "second name")
    owner = s.service_user() if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(root, *owner)
    monkeypatch.setenv("SANDBOX_AGENT_WORKSPACE_ROOT", str(root))
    path, names = workspace.find_workspace(str(ours) + "/")
    assert path == str(ours) and names == [str(ours)]
    for p in (ours.parent, ours, ours / "deep", ours / "deep/file"):
        assert os.stat(p).st_uid == owner[0], p
    assert (
        os.stat(outside).st_uid == os.lstat(ours / "link").st_uid == os.geteuid()
    )  # links, and files with a second name, keep their owner
    assert (
        workspace.find_workspace(str(root / "new" / "one"))[0] == str(root / "new/one")
        and os.stat(root / "new/one").st_uid == owner[0]
    )
    with pytest.raises(SandboxError, match="SANDBOX_AGENT_WORKSPACE_ROOT"):
        workspace.find_workspace(str(outside.parent / "not made"))
    assert not (outside.parent / "not made").exists()
    with pytest.raises(SandboxError, match="workspace_refused"):
        workspace.find_workspace(str(ours / "deep/file"))


# ---- both again, through the service ----


def test_extension_through_the_service_runs_fetches_and_links(extension, service, tmp_path):
    e = extension(
        SANDBOX_AGENT_URL=service.url,
        SANDBOX_AGENT_API_KEY=service.new_key(allow_risk_override=True),
        SANDBOX_AGENT_RISK_LEVEL="low",
        conversation_directory=str(tmp_path),
        output_url="/outputs/",
    )
    text = call(e, "Execute Code in Sandbox", code="open('plot.txt', 'w').write('data'); print('done')")
    execution = text.rsplit("Execution: ", 1)[1]
    assert text.startswith("done\n[plot.txt](/outputs/%s-plot.txt)" % execution[-8:])
    assert (tmp_path / (execution[-8:] + "-plot.txt")).read_text() == "data"
    assert call(e, "Get Sandbox Execution", execution_id=execution) == text
    assert call(e, "Get Sandbox Execution", execution_id="exec-none").startswith("Not known: not_found")
    wrong = extension(SANDBOX_AGENT_URL=service.url, SANDBOX_AGENT_API_KEY="sa_wrong")
    assert call(wrong, "Run Shell in Sandbox", command="true").startswith("The code was not run: unauthenticated")


def test_safeexecute_through_the_service_takes_its_roots_from_the_same_configuration(safe, service, monkeypatch):
    monkeypatch.delenv("SANDBOX_AGENT_WORKSPACE_ROOTS")
    monkeypatch.setenv("SANDBOX_AGENT_URL", service.url)
    monkeypatch.setenv("SANDBOX_AGENT_API_KEY", service.key)
    monkeypatch.setenv("SANDBOX_AGENT_CONFIG", str(service.place.config))
    w = service.place.workspace("safe")
    assert safe.execute_python_code("open('a.txt', 'w').write('1'); print(2)", working_directory=str(w)) == "2"
    assert (w / "a.txt").read_text() == "1"
    assert "workspace_refused" in safe.execute_python_code("print(1)", working_directory=str(service.place.path))


# ---- end to end: AGiXT's loader (agixt_loader.py), its own abilities over our safeexecute, our extension from
# EXTENSIONS_HUB, the service ----

ABILITIES = '''
from Extensions import Extensions
from safeexecute import execute_python_code


class essential_abilities(Extensions):
    """Calls as AGiXT's own extension of this name does."""

    def __init__(self, **kwargs):
        self.commands = {"Execute Shell": self.execute_shell, "Execute Python Code": self.execute_python_code_internal}
        self.WORKING_DIRECTORY = kwargs["conversation_directory"]
        self.agent_name = kwargs.get("agent_name", "gpt4free")
        self.agent_id = kwargs.get("agent_id")
        self.conversation_id = kwargs.get("conversation_id", "")

    async def execute_shell(self, command_line: str) -> str:
        from safeexecute import execute_shell_command
        return execute_shell_command(command=command_line, working_directory=self.WORKING_DIRECTORY, agent_id=self.agent_name, conversation_id=self.conversation_id)

    async def execute_python_code_internal(self, code: str, text: str = "") -> str:
        return execute_python_code(code=code, working_directory=self.WORKING_DIRECTORY)
'''


@pytest.fixture
def installation(service, safe, monkeypatch):
    """AGiXT in a directory of the service's volume roots. As root it makes directories of root's there."""
    home = service.place.workspace("agixt-%d" % len(os.listdir(service.place.workspaces)))
    own = home / "essential_abilities.py"
    own.write_text(ABILITIES)
    monkeypatch.delenv("SANDBOX_AGENT_WORKSPACE_ROOTS")
    monkeypatch.setenv("SANDBOX_AGENT_WORKSPACE_ROOT", str(home))
    monkeypatch.setenv("SANDBOX_AGENT_URL", service.url)
    monkeypatch.setenv("SANDBOX_AGENT_API_KEY", service.key)
    monkeypatch.setattr(workspace, "_known", {})
    made = agixt_loader.Installation(home, str(EXTENSION.parent), own=[str(own)])
    yield made
    made.close()


def ask(installation, what, agent_id, **arguments):
    return asyncio.run(installation.execute(what, arguments, agent_id, "gpt4free"))


def trust(service, agent):
    """Files of /workspace are kept at low."""
    with Sandbox(service.url, service.key) as box:
        box.set_trust(agent, 0.95, "test")


def lowers_limits(service):
    """Whether this sandboxd lowers what is above the level's limits, or still refuses it."""
    with Sandbox(service.url, service.key) as box:
        try:
            return bool(box.execute("bash", "true", risk_level="medium", timeout=3600).limits_clamped)
        except InvalidRequest:
            return False


def test_loader_finds_the_extension_by_extensions_hub(installation):
    name, friendly, category, settings, commands = installation.known[str(EXTENSION)]
    assert (name, friendly, category) == ("agent_sandbox", "Agent Sandbox", "Core Abilities")
    assert settings == ["SANDBOX_AGENT_URL", "SANDBOX_AGENT_API_KEY", "SANDBOX_AGENT_RISK_LEVEL"]
    assert all("Args:" in text for _, _, text in commands.values()) and commands["Run Shell in Sandbox"][1] == [
        "command",
        "timeout",
    ]
    assert list(
        agixt_loader.extension_files(
            agixt_loader.hub_directories("https://github.com/x/y, relative ,%s" % EXTENSION.parent)
        )
    ) == [str(EXTENSION)]


def test_agent_is_one_identity_and_its_workspace_is_writable(installation, service, safe, monkeypatch):
    """Shell with the name, Python with nothing, the extension with the id; the directory that AGiXT makes is root's
    when it runs as root."""
    agent = "11111111-2222-3333-4444-%012d" % os.getpid()
    directory = installation.workspace(agent, "conversation-1")
    os.makedirs(directory)
    with open(os.path.join(directory, "upload.txt"), "w") as f:
        f.write("uploaded\n")
    if not lowers_limits(service):
        monkeypatch.setattr(
            safe.execute_shell_command, "__defaults__", (*safe.execute_shell_command.__defaults__[:-1], 60)
        )
    assert (
        ask(installation, "Execute Shell", agent, command_line="cat upload.txt; echo more >> upload.txt; pwd")
        == "uploaded\n/workspace"
    )
    assert (
        ask(
            installation,
            "Execute Python Code",
            agent,
            code="```python\nprint(open('upload.txt').read()); open('made', 'w').write('x')\n```",
        )
        == "uploaded\nmore"
    )
    trust(service, agent)
    text = ask(
        installation,
        "Execute Code in Sandbox",
        agent,
        code="open('plot.txt', 'w').write('data'); print(6 * 7)",
        timeout="20",
    )
    assert text.startswith("42\n[plot.txt](http://localhost:7437/outputs/%s/conversation-1/" % agent)
    assert len([n for n in os.listdir(directory) if n.endswith("-plot.txt")]) == 1
    with Sandbox(service.url, service.key) as box:
        assert {a.agent_id for a in box.agents()} & {
            agent,
            "gpt4free",
            os.path.basename(os.path.dirname(directory)),
        } == {agent}
        assert box.agent(agent).runs == 4  # the terminal's session is one, too


def test_terminal_of_agixt_with_its_hour_of_patience_runs(installation, service):
    if not lowers_limits(service):
        s.skip("this sandboxd refuses limits above the level's instead of lowering them")
    assert (
        ask(installation, "Execute Shell", "cccccccc-2222-3333-4444-%012d" % os.getpid(), command_line="echo hi")
        == "hi"
    )


def test_terminal_of_agixt_runs_in_the_session_of_its_conversation(installation, service):
    """What a command leaves in /tmp, or running, is there for the next one; another agent has another session."""
    agent = "dddddddd-2222-3333-4444-%012d" % os.getpid()

    def say(line, agent=agent):
        return ask(installation, "Execute Shell", agent, command_line=line)

    assert say("echo first > /tmp/kept; (while :; do sleep 0.1; done) & echo in > made; echo ok") == "ok"
    assert say("cat /tmp/kept made; jobs -p | wc -l; echo $PPID > /tmp/p") == "first\nin\n0"
    directory = installation.workspace(agent, "conversation-1")
    assert open(os.path.join(directory, "made")).read() == "in\n"
    assert say("cat %s/made" % directory) == "in"
    assert "No such file" in say("cat /tmp/kept", "eeeeeeee-2222-3333-4444-%012d" % os.getpid())
    with Sandbox(service.url, service.key) as box:
        ours = [x for x in box.sessions(state="running") if x.data["agent_id"] == agent]
        assert len(ours) == 1 and len({e.data.get("session_id") for e in box.executions(agent_id=agent)}) <= 2
        ours[0].end()
    assert say("echo again") == "again"  # one that has ended is made anew


def test_files_come_back_into_a_directory_that_agixt_did_not_make(installation, service):
    agent = "aaaaaaaa-2222-3333-4444-%012d" % os.getpid()
    ask(installation, "Run Shell in Sandbox", agent, command="true")
    trust(service, agent)
    text = ask(installation, "Run Shell in Sandbox", agent, command="echo data > f.txt")
    assert "f.txt](http" in text and os.listdir(installation.workspace(agent, "conversation-1"))


def test_level_of_the_environment_and_of_the_settings_hold_in_the_extension(installation, service, monkeypatch):
    def level(agent):
        text = ask(installation, "Run Shell in Sandbox", agent, command="true")
        with Sandbox(service.url, service.key) as box:
            return box.execution(text.rsplit("Execution: ", 1)[1]).result.risk_level

    monkeypatch.setenv("SANDBOX_AGENT_RISK_LEVEL", "high")
    assert level("level-1") == "high"
    installation.settings = {"SANDBOX_AGENT_RISK_LEVEL": "low"}
    assert level("level-2") == "high"  # the stricter one of both
    monkeypatch.delenv("SANDBOX_AGENT_RISK_LEVEL")
    with Sandbox(service.url, service.key) as box:
        box.execute("bash", "true", agent_id="level-3")
        assert (
            level("level-3") == box.execute("bash", "true", agent_id="level-3").risk_level != "low"
        )  # no laxer than trust says
    installation.settings = {"SANDBOX_AGENT_RISK_LEVEL": " High "}
    assert level("level-4") == "high"


def test_extension_that_cannot_be_imported_is_passed_over_by_the_loader(installation, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text(
        "import no_such_module_at_all\nfrom Extensions import Extensions\nclass broken(Extensions):\n"
        "    def __init__(self, **kwargs):\n        self.commands = {'B': self.b}\n"
        "    async def b(self):\n        pass\n"
    )
    other = agixt_loader.Installation(tmp_path, "", own=[str(broken)])
    assert asyncio.run(other.execute("B", {}, "a", "n")) is None and set(other.commands()) == {"B"}
