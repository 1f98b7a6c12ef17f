"""The documents say what is so: README.md, ARCHITECTURE.md, SECURITY.md, the man page, the completion, docs/*.md.

    pytest tests/integration/test_docs.py

The commands in README.md's `console` blocks are run and their output compared: a line «...» stands for any lines, «...»
within a line for any text. The map in ARCHITECTURE.md is compared with the sources, and every list of options and codes
with the program's.
"""
import ast
import functools
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers import AGENT, LEVELS, LIBEXEC, PREFIX, ROOT, need_language, shipped, skip

SRC = ROOT / "src"
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/examples.md",
             "docs/installation.md",
             "tests/README.md", "bench/README.md", "deploy/README.md")


def text(name):
    path = ROOT / name
    if not path.exists():
        skip("%s is not in this copy of the tree" % name)
    return path.read_text()


@functools.lru_cache(None)
def agent_says(*words):
    done = subprocess.run([AGENT, *words], capture_output=True, text=True, timeout=60,
                          env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, done
    return done.stdout


def known_options():
    found = set(re.findall(r"^  (--?[a-z-]+)", agent_says("--help"), re.M))
    assert len(found) > 15, found
    return found


def known_commands():
    """The command line's table: a command must be in the documents when it is here."""
    table = re.search(r"commands\[\] = \{(.*?)\n\};", (SRC / "cli/main.c").read_text(), re.S).group(1)
    return set(re.findall(r'\{ "([a-z]+)", cmd_', table))


def rows(document, first_cell):
    """The Markdown table whose head begins with this cell -> list of rows of cells."""
    lines = iter(text(document).splitlines())
    for line in lines:
        if line.startswith("| %s |" % first_cell):
            break
    else:
        pytest.fail("%s has no table that begins with %r" % (document, first_cell))
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split(" |")])
    return found


# ---- the map ----

def modules():
    return {p.name for p in SRC.iterdir() if p.is_dir()}


def includes(module):
    """-> {(file, «module/header»)}"""
    return {(p.name, name) for p in SRC.joinpath(module).glob("*.[ch]")
            for name in re.findall(r'^#\s*include "([^"]+)"', p.read_text(), re.M)}


def listed(what):
    """modules.mk's variables of one kind -> {name: [word]}"""
    lines = text("modules.mk").replace("\\\n", " ")
    return {name: words.split() for name, words in re.findall(r"^%s\.([\w-]+) *:=(.*)$" % what, lines, re.M)}


def test_every_module_includes_what_the_list_says_and_the_map_says_the_same():
    uses = listed("uses")
    assert set(uses) == modules()
    for module, allowed in uses.items():
        foreign = {name for _, name in includes(module) if not name.startswith(module + "/") and "/" in name}
        known = {word: {n for n in foreign if n == word + ".h" or n.startswith(word + "/")} for word in allowed}
        assert foreign == set().union(*known.values()), module
        assert all(known.values()), (module, "does not include what modules.mk permits", known)
    # a header is named in the map as `header.h` behind its module
    table = {re.fullmatch(r"`src/(\w+)`", name).group(1): re.split(r", (?![^(]*\))", cell)
             for name, _, cell in rows("ARCHITECTURE.md", "module")}
    mapped = {module: {word + "/" + h if h else word for cell in cells for word in re.findall(r"^\w+", cell)
                       for h in re.findall(r"`(\w+)\.h`", cell) or [""]} for module, cells in table.items()}
    assert mapped == {module: set(words) for module, words in uses.items()}


@pytest.mark.parametrize("module", sorted(modules()))
def test_includes_name_their_room(module):
    assert not [i for i in includes(module) if i[1].split("/")[0] not in modules()]


def test_a_program_is_linked_from_modules_that_its_own_reaches():
    uses, libraries = listed("uses"), listed("library")
    assert set(listed("links")) == set(listed("needs")) == {p.name.replace(".so", "") for p in programs()}
    for program, (main, *rest) in listed("links").items():
        assert (SRC / main / "main.c").exists(), program
        reached = new = {main}
        while new:
            new = {word.split("/")[0] for module in new for word in uses[module]} - reached
            reached = reached | new
        for word in rest:
            assert {file.split("/")[0] for file in libraries.get(word, [word])} & reached, (program, word)
    for files in libraries.values():
        assert not [f for f in files if not (SRC / (f + ".c")).exists()]


def programs():
    return [p for place in ("bin", "libexec/sandbox-agent") for p in sorted((PREFIX / place).iterdir())]


def elf(program, *what):
    if not shutil.which("readelf"):
        skip("readelf is not installed (apt-get install binutils)")
    return subprocess.run(["readelf", "-W", *what, program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("program", sorted(listed("needs")))
def test_a_program_loads_the_libraries_of_the_list_and_no_other(program):
    """Where Debian has them as archives, sandbox-scan and sandbox-ledger are static."""
    path = next(p for p in programs() if p.name.replace(".so", "") == program)
    loaded = set(re.findall(r"\(NEEDED\).*\[lib([a-z0-9_-]+)", elf(path, "-d"))) - {"c"}
    needs = set(listed("needs")[program]) - (set() if list(Path("/usr/include").glob("postgresql/libpq-fe.h"))
                                             else {"pq"})
    if loaded or program not in ("sandbox-scan", "sandbox-ledger"):
        found = {next((n for n in needs if name.startswith(n)), name) for name in loaded}  # libyaml-0, libcurl-gnutls
        assert found == needs
    if not needs and program != "sandbox-fork":
        assert "(NEEDED)" not in elf(path, "-d") and "INTERP" not in elf(path, "-l")
    names = {"microhttpd": "libmicrohttpd", "gnutls": "libmicrohttpd", "nettle": "libmicrohttpd", "sodium": "libsodium",
             "curl": "libcurl", "sqlite3": "SQLite", "pq": "libpq", "yaml": "libyaml",
             "pcre2-8": "pcre2"}
    for library in needs - {"m"}:
        owners = [row[1] for row in rows("ARCHITECTURE.md", "what") if row[0].startswith(names.get(library, library))]
        assert any("`%s`" % program in owner for owner in owners), (program, library)


@pytest.mark.parametrize("program",
                         [AGENT, LIBEXEC / "sandbox-launcher", LIBEXEC / "sandbox-policy", LIBEXEC / "sandbox-entry"],
                         ids=lambda p: p.name)
def test_no_program_is_setuid(program):
    assert not program.stat().st_mode & 0o6000


def test_the_steps_on_the_map_are_those_of_the_table_in_their_order():
    code = (SRC / "launch/steps.c").read_text()
    table = re.search(r"steps\[\] = \{(.*?)\n\};", code, re.S).group(1)
    steps = re.findall(r'\{ "([A-Z_]+)", (PHASE_[A-Z_ |]+)', table)
    phases = {"PHASE_SPARE": "spare", "PHASE_PREPARE": "prepare", "PHASE_JOB": "job"}
    expected = [(name, {phases[p] for p in re.findall(r"PHASE_\w+", flags)}) for name, flags in steps]
    mapped = [(row[0], set(phases.values()) if row[1] == "all" else set(filter(None, re.split(r",\s*", row[1]))))
              for row in rows("ARCHITECTURE.md", "step")]
    assert mapped == expected + [("EXEC", set())]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_points_to_exists(document):
    words = text(document)
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", words) if "://" not in link]
    paths = re.findall(r"`((?:src|tests|docs|deploy|scripts|guards|profiles|examples|bench)/[\w./*-]*)`", words)
    paths += ["src/%s.%s" % m for m in re.findall(r"src/(\w+/\w+)\.([ch])\b", words)]
    assert links or paths
    beside = (ROOT / document).parent
    missing = [p for p in paths if not ((ROOT / p).exists() or list(ROOT.glob(p.rstrip("/"))))]
    assert not missing + [link for link in links if link and not (beside / link).exists()]


def test_the_readme_is_short():
    assert len(text("README.md").splitlines()) <= 200


def test_the_map_of_the_tests_is_as_it_would_be_written():
    """tests/map.py writes it."""
    text("tests/README.md")
    assert subprocess.run(["/usr/bin/python3", ROOT / "tests/map.py", "--check"]).returncode == 0, "tests/map.py"


def test_the_projects_addresses_are_those_of_one_file(tmp_path):
    """PROJECT has them, scripts/project.py writes them: another address is noticed, written, and then the same
    everywhere."""
    text("PROJECT")
    files = ["PROJECT", "scripts/project.py", "SECURITY.md", "sdk/python/pyproject.toml",
             "integrations/agixt/safeexecute/pyproject.toml"]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)

    def project(*words):
        return subprocess.run(["/usr/bin/python3", tmp_path / "scripts/project.py", *words], capture_output=True,
                              text=True)
    assert project("--check").returncode == 0, "scripts/project.py"
    there = tmp_path / "PROJECT"
    there.write_text(re.sub('"https://[^/"]*/[^/"]*', '"https://code.test/we', there.read_text()))
    found = project("--check")
    assert found.returncode == 1 and all(name in found.stdout for name in files[2:]), found.stdout
    assert project().returncode == 0 and project("--check").returncode == 0
    for name in files[2:]:
        assert "https://code.test/we/sandbox-agent" in (tmp_path / name).read_text()
    build = (ROOT / "deploy/debian/build.sh").read_text()
    assert '. "$top/PROJECT"' in build and "@sandbox-agent" not in build
    host, owner, name = re.search('REPOSITORY="https://([^/"]+)/([^/"]+)/([^"]+)"', text("PROJECT")).groups()
    assert "<%s@users.noreply.%s>" % (owner, host) in text("PROJECT"), "the package's maintainer is not of this project"
    assert 'SECURITY="https://%s/%s/%s/' % (host, owner, name) in text("PROJECT")


# ---- one list of libraries, of programs ----

# header -> the library in the table of ARCHITECTURE.md, and where it may be included
LIBRARIES = {"yaml.h": ("libyaml", r"config/yaml\.c|scan/rules_yaml\.c"),
             "jansson.h": ("jansson", r"filter/oci\.c|tool/.*|daemon/.*|engine/.*|remote/.*|packages/manifest\.c"),
             "microhttpd.h": ("libmicrohttpd", r"http/.*"),
             "gnutls/gnutls.h": ("libmicrohttpd", r"http/(tunnel|client_certificate)\.c"),
             "gnutls/x509.h": ("libmicrohttpd", r"http/client_certificate\.c"),
             "nettle/sha2.h": ("libmicrohttpd", r"audit/sha256_nettle\.c"),
             "curl/curl.h": ("libcurl",
                           r"daemon/((webhook|messenger).*|(service_client|loopback|node_line|content_s3)\.c)|engine/.*"),
             "sqlite3.h": ("SQLite", r"sqlite/.*"), "libpq-fe.h": ("libpq", r"postgres/.*"),
             "tree_sitter/api.h": ("tree-sitter", r"scan/.*"), "pcre2.h": ("pcre2", r"scan/.*"),
             "sodium.h": ("libsodium", r"audit/.*")}


def headers_of_libraries():
    """Every header that is included with <> and is not the C library's or the kernel's: by what the compiler's own
    directories have."""
    used = {}
    for path in SRC.rglob("*.[ch]"):
        for name in re.findall(r"^#include <([^>]+)>", path.read_text(), re.M):
            used.setdefault(name, set()).add(str(path.relative_to(SRC)))
    ours = {name: files for name, files in used.items() if name in LIBRARIES or not is_of_libc(name)}
    return ours


@functools.lru_cache(None)
def packages_of_libc():
    if not shutil.which("dpkg"):
        skip("dpkg is not installed")
    said = subprocess.run(["dpkg", "-L", "libc6-dev", "linux-libc-dev"], capture_output=True, text=True).stdout.split()
    return {re.sub(r"^/usr/include/([\w-]+-linux-gnu/)?", "", path) for path in said if path.endswith(".h")}


def is_of_libc(name):
    compilers = {"stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "limits.h", "cpuid.h", "stdalign.h"}
    return name in packages_of_libc() or name in compilers


def test_the_headers_of_libraries_are_those_of_the_list_and_in_their_places():
    used = headers_of_libraries()
    assert set(used) == set(LIBRARIES), ("a library of which the list and ARCHITECTURE.md do not know, or one that has "
                                         "left")
    for header, (library, places) in LIBRARIES.items():
        assert not [u for u in used[header] if not re.fullmatch(places, u)], header
        assert any(row[0].startswith(library) for row in rows("ARCHITECTURE.md", "what")), library


def test_the_number_of_programs_is_that_of_the_makefile():
    """One list: what `make install` puts into bin and libexec."""
    recipe = re.search(r"^install:.*?(?=^\n)", text("Makefile"), re.M | re.S).group(0)
    programs = set(re.findall(r"\$\((AGENT|DAEMON|LAUNCHER|BROKER|ENGINE|ENTRY|POLICY|SCAN|LEDGER|[A-Z]+)\)",
                              " ".join(re.findall(r"install -m 755 (.*) \$\(\w+_DIR\)/", recipe))))
    table = [re.fullmatch(r"`([\w-]+)`", row[0]).group(1) for row in rows("ARCHITECTURE.md", "program")]
    assert len(table) == len(set(table)) == len(programs)
    built = {p.name for place in ("bin", "libexec/sandbox-agent") for p in (PREFIX / place).iterdir()
             if p.suffix != ".so"}
    assert built == set(table), "ARCHITECTURE.md's table of programs"
    numbers = "zero one two three four five six seven eight nine ten eleven twelve".split()
    for document, pattern in (("Makefile", r"^# Two compilers, (\w+) programs"),
                              ("docs/installation.md", r"^(\w+) programs:")):
        (word,) = re.findall(pattern, text(document), re.M)
        assert numbers.index(word.lower()) == len(table), (document, word)
    assert set(re.findall(r"`(?:bin/|libexec/sandbox-agent/)?(sandbox(?:d|-[a-z]+))`",
                          re.search(r"^\w+ programs:.*?\n\n", text("docs/installation.md"),
                                    re.M | re.S).group(0))) == set(table)


def test_each_known_way_past_the_guards_is_named():
    words = text("SECURITY.md")
    for path in sorted((ROOT / "tests/guards").glob("test_*_guard.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "BYPASSES":
                names = [key.value for key in node.value.keys]
                assert names and not [n for n in names if n not in words], path.name


# ---- README.md ----

def console_blocks(document):
    """-> (command, expected output) pairs"""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", text(document), re.M | re.S):
        assert block.startswith("$ "), block
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def pattern(expected):
    lines = []
    for line in expected.splitlines():
        if line == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(".*".join(re.escape(part) for part in line.split("...")) + "\n")
    return "".join(lines)


@pytest.mark.parametrize("document, least", [("README.md", 6), ("docs/examples.md", 15)])
def test_the_examples_print_what_a_document_says(box, document, least):
    commands = console_blocks(document)
    assert len(commands) >= least
    for language in ("python", "node", "bash", "go"):
        need_language(language)
    env = {**box.env, "PATH": "%s:/usr/bin:/bin" % AGENT.parent}
    box.user_config({"agixt": {"analysis": {"enabled": True}}})
    for command, expected in commands:
        done = subprocess.run(["bash", "-c", command], cwd=box.cwd, env=env, stdin=subprocess.DEVNULL, text=True,
                              timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert re.fullmatch(pattern(expected),
                            done.stdout), "$ %s\n%s\n--- expected\n%s" % (command, done.stdout, expected)


def code_lines(words):
    """What is typed: fenced blocks, and spans of code that begin with the program's name."""
    for block in re.findall(r"^ *```\w*\n(.*?)^ *```$", words, re.M | re.S):
        yield from block.splitlines()
    yield from re.findall(r"`(sandbox-agent [^`]*)`", words)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_option_and_command_in_a_document_is_known(document):
    sources = "".join(p.read_text() for place in ("cli", "tool") for p in (SRC / place).glob("*.c"))
    extra = {"--tsv"} | {"--" + name for name in re.findall(r'"(?:--)?([a-z][a-z-]+)"[,\]]', sources)}
    for line in code_lines(text(document)):
        for words in re.findall(r"\bsandbox-agent ([^|;]*)", line):
            before = words.split(" -- ")[0]
            unknown = set(re.findall(r"(?<!\S)(--[a-z][a-z-]*)", before)) - known_options() - extra
            assert not unknown, (line, unknown)
            first = before.split()[0] if before.split() else "--"
            assert (first.startswith("-") or first in known_commands() or not first.isalpha()
                    or line.startswith("sandbox-agent:")), line


def test_the_readme_names_programs_and_targets_that_exist():
    words = text("README.md")
    for name in set(re.findall(r"(?<![\w.])\./(\w+)", words)):
        assert os.access(ROOT / name, os.X_OK), name
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.M))
    assert set(re.findall(r"(?:^|`)make (\w+)", words, re.M)) <= targets
    phases = re.search(r"PHASES = \{(.*?)\}", text("tests/run.py"), re.S).group(1)
    assert "`%s`" % " ".join(re.findall(r'"(\w+)":', phases)) in words, "./check's phases"


def test_the_table_of_levels_is_that_of_the_profiles():
    table = {row[0]: row[1:] for row in rows("README.md", "level")}
    where = {"memory": "resources.memory", "cores": "resources.cpu", "deadline in seconds": "resources.timeout",
             "bytes that may be written": "resources.storage", "processes": "execution.max_processes",
             "processes and threads": "resources.pids", "user inside": "security.user",
             "system calls": "security.seccomp"}
    for name, key in where.items():
        section, word = key.split(".")
        for level, cell in zip(LEVELS, table[name]):
            value = str(shipped(level)[section][word])
            assert cell in (value, value.split(":")[0], value + " filter"), (name, level, cell, value)
    for level, modules in zip(LEVELS, table["Python modules"]):
        for name in shipped(level)["languages"]["python"]["blocked_modules"] if level == "medium" else ():
            assert name in modules


def test_both_tables_of_exit_codes_agree():
    readme = {code for row in rows("README.md", "code") for code in re.findall(r"\d+(?: \+ N)?", row[0])}
    section = re.search(r"^\.Sh EXIT STATUS\n(.*?)^\.Sh", text("docs/sandbox-agent.1"), re.M | re.S).group(1)
    manual = {code.replace("+N", " + N") for code in re.findall(r"^\.It (\S+)", section, re.M)}
    assert readme == manual == {"2", "123", "124", "125", "126", "127", "128 + N", "137"}


# ---- the manual ----

def test_the_manual_has_every_option_and_command():
    page = text("docs/sandbox-agent.1")
    options = re.search(r"^\.Sh OPTIONS\n(.*?)^\.Sh", page, re.M | re.S).group(1)
    assert ["-" + name for name in re.findall(r"^\.It Fl (-?[a-z-]+)", options, re.M)] == \
        re.findall(r"^  (--?[a-z-]+)", agent_says("--help"), re.M)[:len(known_options())]
    commands = re.search(r"^\.Sh COMMANDS\n(.*?)^\.Sh", page, re.M | re.S).group(1)
    assert set(re.findall(r"^\.It Cm (\w+)", commands, re.M)) == known_commands()


def test_the_manual_is_well_formed():
    page = ROOT / "docs/sandbox-agent.1"
    text("docs/sandbox-agent.1")
    if not shutil.which("groff"):
        skip("groff is not installed (apt-get install groff-base)")
    done = subprocess.run(["groff", "-mdoc", "-ww", "-Tutf8", page], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


# ---- the completion ----

COMPLETE = r"""
. "$1"; shift
COMP_WORDS=(sandbox-agent "$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
_sandbox_agent
printf '%s\n' "${COMPREPLY[@]}"
"""


def complete(box, *words):
    script = ROOT / "deploy/sandbox-agent.bash"
    text("deploy/sandbox-agent.bash")
    done = subprocess.run(["bash", "--norc", "-c", COMPLETE, "complete", script, *words], cwd=box.cwd,
                          capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return set(done.stdout.split("\n")) - {""}


def test_the_completion_offers_the_options_of_the_help_and_the_commands(box):
    long_options = {name for name in known_options() if name.startswith("--")}
    assert complete(box, "--") == complete(box, "run", "--") == long_options
    assert complete(box, "run", "-") == known_options()
    assert complete(box, "") == known_options() | known_commands()


@pytest.mark.parametrize("typed, offered", [
    ("--language |", "bash go node python rust"), ("--language = p|", "python"),
    ("--risk-level |", "high low medium"), ("--risk-level =|", "high low medium"), ("--json --risk-level m|", "medium"),
    ("--log-level |", "debug error info trace warn"), ("--backend |", "native docker remote"), ("--memory |", ""),
    ("--code no|", "notes.py"), ("--volume |", "dir"), ("profiles |", "check list show"),
    ("profiles show m|", "medium"), ("profiles check |", "dir notes.py"), ("config |", "show"),
    ("docs |", "configuration profiles"), ("audit |", "checkpoint export search tail verify"),
    ("artifacts s|", "show sweep"),
    ("audit verify --f|", "--file --first"), ("audit verify --w|", "--witness --witness-key"),
    ("syscalls --|", "--tsv"), ("-- cat no|", "notes.py"),
])
def test_the_completion_of_values(box, typed, offered):
    (box.cwd / "notes.py").write_text("")
    (box.cwd / "dir").mkdir()
    assert complete(box, *typed[:-1].split(" ")) == set(offered.split())


# ---- generated pages, AppArmor, installation ----

@pytest.mark.parametrize("name, words", [("profiles", ("docs", "profiles")),
                                         ("configuration", ("docs", "configuration")),
                                         ("syscalls", ("syscalls",))])
def test_a_generated_page_is_of_this_build(name, words):
    path = ROOT / "docs" / (name + ".md")
    assert path.exists() and path.read_text() == agent_says(*words), ("run: %s %s > docs/%s.md"
                                                                      % (AGENT, shlex.join(words), name))


def test_the_apparmor_profiles_have_the_names_that_a_plan_asks_for():
    names = re.search(r"our_profiles\[\] = \{(.*?)\};", (SRC / "tool/doctor_filter.c").read_text()).group(1)
    for name in re.findall(r'"([^"]+)"', names):
        assert re.search(r"^profile %s flags=" % re.escape(name), text("deploy/apparmor/" + name), re.M), name
    installed = text("deploy/apparmor/sandbox-agent")
    for program in (AGENT, LIBEXEC / "sandbox-launcher", LIBEXEC / "sandbox-policy"):
        assert str(program.relative_to(PREFIX)) in installed, program.name


def test_the_selinux_module_has_the_types_that_a_plan_asks_for(tmp_path):
    module = text("deploy/selinux/sandbox_agent.te")
    for name in set(re.findall(r'"(sandbox_agent\w*_t)"', (SRC / "plan/build.c").read_text())):
        assert re.search(r"^type %s, " % name, module, re.M), name
    if not shutil.which("checkmodule"):
        pytest.skip("checkmodule is not installed (apt-get install checkpolicy)")
    done = subprocess.run(["checkmodule", "-M", "-m", "-o", tmp_path / "m.mod",
                           ROOT / "deploy/selinux/sandbox_agent.te"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["sandbox-agent-default", "sandbox-agent-confined"])
def test_the_apparmor_profiles_parse(name):
    text("deploy/apparmor/" + name)
    parser = shutil.which("apparmor_parser", path="/usr/sbin:/sbin:/usr/bin")
    if not parser:
        pytest.skip("apparmor_parser is not installed (apt-get install apparmor)")
    done = subprocess.run([parser, "--skip-kernel-load", "--skip-cache", ROOT / "deploy/apparmor" / name],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_install_takes_what_exists_and_uninstall_all_of_it():
    text("Makefile")
    if not shutil.which("make"):
        skip("make is not installed")

    def recipe(target, first):
        done = subprocess.run(["make", "-n", target, "PREFIX=/usr", "DESTDIR=/nowhere", "B=%s" % PREFIX], cwd=ROOT,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [shlex.split(line) for line in done.stdout.replace("\\\n", " ").splitlines() if line.startswith(first)]

    copies = [words[3:] for words in recipe("install", "install -m")]
    assert copies
    put = set()
    for *sources, target in copies:
        found = [p for s in sources for p in ([ROOT / s] if (ROOT / s).exists() else list(ROOT.glob(s)))]
        assert found, sources
        put |= {target + p.name if target.endswith("/") else target for p in found}
    removed = [word for words in recipe("uninstall", "rm -") for word in words[2:]]
    assert not [p for p in put if not any(p == r or p.startswith(r + "/") for r in removed)]
    assert not [r for r in removed if not r.startswith("/nowhere/usr/")
                or ("sandbox-agent" not in r and not re.search(r"/(sandboxd|sandbox-launcher)[\w.@]*$", r))]
