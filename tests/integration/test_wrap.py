"""wrap: a person's own tool in the project directory. It works there, and leaves nothing that another program of the
person's would execute later: hooks, settings of editors, agents and CI, of the project and of repositories in it."""
import contextlib
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import time

import helpers
import pytest

GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]


def git(*words, cwd):
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run([*GIT, *words], cwd=cwd, env=env, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A repository with settings, one more in it, and one that it has as a submodule."""
    top = tmp_path_factory.mktemp("template") / "project"
    for name in ("scripts/hooks", "sub/.vscode", "sub/inner"):
        (top / name).mkdir(parents=True)
    git("init", "-q", cwd=top)
    git("config", "user.name", "t", cwd=top)
    git("config", "user.email", "t@example.org", cwd=top)
    (top / "Makefile").write_text("out: in\n\ttr a-z A-Z < in > out\n")
    (top / "in").write_text("text\n")
    (top / "sub/.vscode/tasks.json").write_text("{}\n")
    (top / "secret").write_text("secret\n")
    git("init", "-q", "sub/inner", cwd=top)
    git("commit", "-q", "--allow-empty", "-m", "inner", cwd=top / "sub/inner")
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(top / "sub/inner"), "module", cwd=top)
    git("add", "Makefile", "in", cwd=top)
    git("commit", "-q", "-m", "first", cwd=top)
    return top


@pytest.fixture
def project(box, template):
    return pathlib.Path(shutil.copytree(template, box.dir / "project", symlinks=True))


def wrap(box, project, *words, options=(), **more):
    box.cwd = project
    return box.agent("wrap", *options, "--", *words, **more)


def shot(top):
    """Every entry below: what it is, what it holds, and for a link where it leads."""
    found = {}
    for path in [top, *top.rglob("*")]:
        st = path.lstat()
        what = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[str(path.relative_to(top))] = (st.st_mode, what)
    return found


def test_the_guarded_places_are_those_of_the_document():
    source = (helpers.ROOT / "src/cli/guard.c").read_text()
    text = (helpers.ROOT / "docs/wrap.md").read_text()
    rows = [row.split("|") for row in text[text.index("| git |"):text.index("These count")].splitlines()[1:] if row]
    for column, missing in ((2, "MADE"), (3, "KEPT")):
        found = set(re.findall(r'^    \{ "([^"]+)", (?:TOP|DEEP), %s }' % missing, source, re.M)) - {".git"}
        assert set(re.findall("`([^`]+)`", "".join(row[column] for row in rows))) == found and len(found) > 25


ATTACK = r"""
import ctypes, os, shutil
libc = ctypes.CDLL(None, use_errno=True)
done = []
def attempt(name, act):
    try:
        act()
        done.append(name)
    except OSError:
        pass
def write(path):
    with open(path, "a") as f:
        f.write("#!/bin/sh\ntouch /tmp/owned\n")
def made(path):
    os.makedirs(path, exist_ok=False)
def exchange(a, b):
    if libc.renameat2(-100, a.encode(), -100, b.encode(), 2):
        raise OSError(ctypes.get_errno(), b)
gits = [".git", "sub/inner/.git", ".git/modules/module"]
for g in gits:
    for name in ("hooks/pre-commit", "config", "commondir", "config.worktree"):
        attempt("write " + g + name, lambda: write(g + "/" + name))
        attempt("over " + g + name, lambda: (open("x", "w").close(), os.rename("x", g + "/" + name)))
        attempt("unlink " + g + name, lambda: os.unlink(g + "/" + name))
    attempt("hooks away " + g, lambda: os.rename(g + "/hooks", g + "/hooks2"))
    attempt("away " + g, lambda: os.rename(g, "elsewhere"))
    attempt("exchange " + g, lambda: (os.makedirs("mine/hooks", exist_ok=True), exchange("mine", g)))
    attempt("link out " + g, lambda: os.link(g + "/config", "config-link"))
    attempt("chmod " + g, lambda: os.chmod(g + "/config", 0o777))
    attempt("chmod hooks " + g, lambda: os.chmod(g + "/hooks", 0o777))
    attempt("time " + g, lambda: os.utime(g + "/hooks"))
    attempt("xattr " + g, lambda: os.setxattr(g + "/config", "user.x", b"x"))
for place in (".envrc .mise.toml .vscode .idea .zed .fleet .devcontainer .exrc .nvim.lua .dir-locals.el .claude "
              ".cursor .codex .gemini .windsurf .continue .opencode .mcp.json .aider.conf.yml .husky .githooks "
              ".pre-commit-config.yaml .github "
              ".gitlab-ci.yml .circleci .buildkite .travis.yml .drone.yml .woodpecker .woodpecker.yml Jenkinsfile "
              "azure-pipelines.yml bitbucket-pipelines.yml scripts/hooks sub/.vscode module/.git").split():
    attempt("write " + place, lambda: write(place))
    attempt("below " + place, lambda: write(place + "/x"))
    attempt("directory below " + place, lambda: os.makedirs(place + "/y"))
    attempt("rmdir " + place, lambda: os.rmdir(place))
    attempt("rmtree " + place, lambda: shutil.rmtree(place))
    attempt("away " + place, lambda: os.rename(place, "elsewhere"))
    attempt("over " + place, lambda: (os.makedirs("new", exist_ok=True), os.rename("new", place)))
    attempt("link over " + place, lambda: (os.symlink("/tmp", "ln"), os.rename("ln", place)))
    if os.path.lexists("ln"):
        os.unlink("ln")
attempt("task", lambda: write("sub/.vscode/tasks.json"))
for call in ("umount2", "mount", "unshare"):
    f = getattr(libc, call)
    args = {"umount2": (b".git/hooks", 2), "mount": (b"none", b".git/hooks", b"tmpfs", 32 | 4096, None),
            "unshare": (0x10020000,)}[call]
    if f(*args) == 0:
        done.append(call)
if libc.syscall(428, -100, b".git", 1) >= 0:
    done.append("open_tree")
attempt("through proc", lambda: write("/proc/self/cwd/.git/hooks/pre-commit"))
os.symlink(".git/hooks", "way")
attempt("through a link", lambda: write("way/pre-commit"))
attempt("secret", lambda: open("secret").read())
attempt("secret away", lambda: os.rename("secret", "known"))
for name in ("x", "mine", "new", "way"):
    shutil.rmtree(name) if os.path.isdir(name) and not os.path.islink(name) else os.unlink(name)
open("ran", "w").write("\n".join(done))
"""


def test_nothing_that_is_executed_later_can_be_changed(box, project):
    git("config", "core.hooksPath", "scripts/hooks", cwd=project)
    before = shot(project)
    attack = box.file("attack.py", ATTACK).read_text()
    done = wrap(box, project, "python3", "-c", attack, options=["--hide", "secret"])
    assert done.code == 0, done
    after = shot(project)
    assert after.pop("ran")[1] == b"", "these worked: " + (project / "ran").read_text()
    assert after == before


def test_honest_work(box, project):
    work = "make && python3 -c 'import sys; print(sys.version_info > (3,))' && git add -A out && " \
           "git commit -qm second && git mv in given && mkdir deep && mv out deep/ && git stash -q && " \
           "git status --short && git branch b && git tag t && git gc -q && touch -t 197001010000 old && " \
           "git log --format=%s && printf 1 >> CLAUDE.md"
    done = wrap(box, project, "bash", "-c", work)
    assert done.code == 0 and done.text.endswith("second\nfirst\n"), done
    assert git("log", "--format=%s", cwd=project) == "second\nfirst\n"
    assert (project / "CLAUDE.md").read_text() == "1" and (project / "old").exists()
    owner = project.stat()
    assert {(p.lstat().st_uid, p.lstat().st_gid) for p in project.rglob("*")} == {(owner.st_uid, owner.st_gid)}


def test_what_is_asked_for_is_writable_and_stays(box, project):
    (project / ".idea").mkdir()  # empty, and the person's own
    work = "echo x > .git/hooks/pre-commit; echo y > .envrc; git config a.b c; echo z > .codex"
    done = wrap(box, project, "sh", "-c", work,
                options=["--writable", ".git/hooks", "--writable", project / ".envrc", "--writable", ".git/config"])
    assert ".codex" in done.words, done
    assert (project / ".git/hooks/pre-commit").read_text() == "x\n" and (project / ".envrc").read_text() == "y\n"
    assert "[a]" in (project / ".git/config").read_text()
    assert (project / ".idea").is_dir()
    assert not (project / ".codex").exists() and not (project / ".git/commondir").exists()


def test_a_place_below_the_repository_and_one_that_is_none(box, project):
    """Nothing above the project is visible; a repository cannot be made there: it would hide the one above."""
    done = wrap(box, project / "scripts", "sh", "-c", "ls ..; ls -A ../.git; mkdir .git/x; git init . ; pwd; ls -A")
    assert str(project / "scripts") in done.text and "Read-only" in done.words and "Makefile" not in done.text, done
    assert sorted(os.listdir(project / "scripts")) == ["hooks"]
    bare = box.directory("bare", 0o755)
    done = wrap(box, bare, "sh", "-c", "git init -q . || echo no; echo > f; test -w f && pwd")
    assert done.text == "no\n%s\n" % bare and os.listdir(bare) == ["f"], done


@pytest.mark.parametrize("file, line", [
    (None, None), ("config", "[core] hooksPath = a/b ; for all"), ("config", "[core] hooksPath = {}/a/b"),
    ("config", "[core] hooksPath = ~/linked/project/a/b"),
    ("config.worktree", '[core "x]"] [core] hooksPath=a/b')])
def test_a_directory_above_a_place_cannot_be_replaced(box, project, file, line):
    """What lies beside the place can be worked on."""
    for name in ("a/b", "a/c"):
        (project / name).mkdir(parents=True)
    if file:
        (box.dir / "linked").symlink_to(box.dir)
        box.env["HOME"] = str(box.dir)
        with open(project / ".git" / file, "a") as f:
            f.write(line.format(project) + "\n")
    work = "echo 1 > a/f; echo 1 > a/c/e; mv a/c a/moved; mv a a2; mkdir a; mkdir a/b; echo evil > a/b/x; exit 0"
    done = wrap(box, project, "sh", "-c", work, options=[] if file else ["--read-only", "a/b"])
    assert done.code == 0 and not (project / "a2").exists() and os.listdir(project / "a/b") == [], done
    assert (project / "a/f").exists() and (project / "a/moved/e").exists()


def test_a_git_directory_of_another_name_is_guarded(box, project):
    os.rename(project / ".git", project / ".bare")
    (project / ".git").write_text("gitdir: ./.bare\n")
    before = shot(project)
    work = "echo evil > .bare/hooks/pre-commit; mv .bare b; git config a.b c; git log --format=%s"
    done = wrap(box, project, "sh", "-c", work)
    assert done.text == "first\n" and shot(project) == before, done


def test_the_strictest_of_two_rules_for_a_place_counts(box, project):
    done = wrap(box, project, "sh", "-c", "echo > scripts/made; cat sub/.vscode/tasks.json; echo end", options=[
        "--read-only", "scripts/hooks", "--read-only", "scripts", "--hide", "sub/.vscode"])
    assert done.text == "end\n" and os.listdir(project / "scripts") == ["hooks"], done


def test_what_cannot_be_guarded_is_refused_and_nothing_is_left(box, project):
    before = shot(project)
    os.symlink("../scripts", project / "sub/.claude")
    wrap(box, project, "true").refused(2, "sub/.claude", "symbolic link", "--writable")
    os.unlink(project / "sub/.claude")
    config = (project / ".git/config").read_text()
    (project / ".git/config").write_text(config + "#" * 300000)
    wrap(box, project, "true").refused(125, ".git/config")
    (project / ".git/config").write_text(config)
    home = box.directory("home", 0o755)
    for place, needle in (("/", "whole machine"), (home, "home directory"), (box.dir, "home directory"),
                          (box.dir / "none", "--project")):
        wrap(box, project, "true", options=["--project", place]).refused(2, needle)
    wrap(box, project, "true", options=["--writable", ".github/workflows"]).refused(2, "as a whole")
    wrap(box, project, "true", options=["--read-only", "/etc"]).refused(2, "below the project")
    for kept in (["--hide", ".vscode/keys"], ["--read-only", ".vscode/keys"], ["--hide", ".vscode"]):
        wrap(box, project, "true", options=["--writable", ".vscode", *kept]).refused(2, kept[1], "--writable")
    for missing in ("none", "none/secret"):
        wrap(box, project, "true", options=["--hide", missing]).refused(125, missing)
    wrap(box, project, "true", options=["--allow", "a..b"]).refused(2, "--allow a..b")
    wrap(box, project, "true", options=["--risk-level", "high"]).refused(123)
    wrap(box, project, "true", options=["--language", "python"]).refused(2, "--language")
    assert box.agent("run", "--project", ".", "--", "true").code == 2
    assert wrap(box, project, "true", options=["--dry-run"]).code == 0
    assert shot(project) == before


def test_two_at_once_and_one_that_was_killed(box, project):
    before = shot(project)
    box.cwd = project
    first = box.start("wrap", "--", "sh", "-c", "echo ready; cat; echo x > .envrc || echo held", stdin=subprocess.PIPE)
    first.wait_for(b"ready")
    killed = box.start("wrap", "--", "sh", "-c", "echo ready; exec sleep 1000")
    killed.wait_for(b"ready")
    killed.process.kill()
    killed.process.wait()
    assert wrap(box, project, "true").code == 0
    assert (project / ".envrc").is_dir(), "the second took away what the first still needs"
    first.process.stdin.close()
    first.process.stdin = None
    assert first.wait_for(b"held")
    first.finish()
    assert not helpers.poll(lambda: shot(project) != before), "left behind: %s" % (set(shot(project)) - set(before))


def test_what_is_replaced_from_outside_is_said(box, project):
    box.cwd = project
    live = box.start("wrap", "--", "sh", "-c", "echo ready; cat", stdin=subprocess.PIPE)
    live.wait_for(b"ready")
    git("config", "new.value", "1", cwd=project)
    live.process.stdin.close()
    live.process.stdin = None
    assert ".git/config was replaced" in live.finish().words


# ---- what the tool makes anew: git outside executes none of it ----

EVIL = """
evil() { git init -q "$1"; git -C "$1" -c user.name=t -c user.email=t@t commit -q --allow-empty -m x;
         git -C "$1" config core.fsmonitor "touch %(owned)s/$1; false"; }
"""
ANEW = {  # each makes a repository, which is recorded as a submodule
    "plain": "evil plain; mkdir plain/.git.set-aside",
    "node_modules/a/b": "mkdir -p node_modules/a; echo '*' > node_modules/.gitignore; evil node_modules/a/b",
    "hidden/new": "mkdir hidden; evil hidden/new; git add hidden/new; chmod 100 hidden",
    "closed": "evil closed; git add closed; chmod 555 closed closed/.git",
    "module": "mv module m2; evil module",  # in the place of a submodule
    "objects": "evil objects; mv objects/.git .git/objects/x; echo gitdir: ../.git/objects/x > objects/.git",
    "hooks": "git init -q hooks; cd hooks; git config user.name t; git config user.email t@t; touch f; git add f; "
             "git commit -qm x; printf '#!/bin/sh\\ntouch %(owned)s/hooks\\n' > .git/hooks/post-index-change; "
             "chmod +x .git/hooks/post-index-change; sleep 0.01; touch f",
    "link": "evil link; mv link/.git store; ln -s ../store link/.git",
    "include": "evil include; cd include; mv .git/config ../more; git init -q .; git config include.path ../../more",
    "common": "evil common; cd common; echo ../../away > .git/commondir; mkdir ../away; "
              "mv .git/objects .git/refs .git/config ../away",
}


def test_git_status_executes_nothing_that_the_tool_made(box, project):
    owned = box.directory("owned", 0o777)
    work = ["(%s); git add -f %s;" % (work, path) for path, work in ANEW.items()]
    done = wrap(box, project, "bash", "-c", (EVIL + "".join(work).replace("; chmod 100 hidden)", ")") +
                                             "chmod 100 hidden") % {"owned": owned})
    assert done.code == 0 and done.words.count(".set-aside") >= len(ANEW), done
    for path in ("hidden", "closed"):
        (project / path).chmod(0o700)
    listed = git("ls-files", "-s", cwd=project)
    for path in ANEW:
        assert "160000" in [l for l in listed.splitlines() if l.endswith("\t" + path)][0], (path, listed, done)
        subprocess.run([*GIT, "status", "--", path], cwd=project, capture_output=True, check=False)
        assert not (owned / path).exists() and not os.listdir(owned), (path, done)


def test_a_commit_has_the_persons_name_unless_the_tool_says_another(box, project):
    (box.dir / "home").mkdir()
    (box.dir / "home/.gitconfig").write_text('[user]\n\tname = "A \\"B\\" #"\n\temail = a@b\n[core]\n\tpager = x\n')
    box.env["HOME"] = str(box.dir / "home")
    git("config", "--unset", "user.name", cwd=project)
    work = "git commit -q --allow-empty -m one && git -c user.name=C commit -q --allow-empty -m two; cat /etc/gitconfig"
    done = wrap(box, project, "sh", "-c", work)
    assert git("log", "--format=%an %ae", "-2", cwd=project) == 'C t@example.org\nA "B" # t@example.org\n', done
    assert "pager" not in done.text


def test_the_persons_name_is_the_one_for_this_project(box, project):
    home = box.directory("home")
    config = '[user]\n\tname = own\n\temail = own\n[includeIf "gitdir:%s"]\n\tpath = work\n'
    (home / "work").write_text("[user]\n\temail = work\n")
    box.env["HOME"] = str(home)
    for place, found in (("%s/" % box.dir, "work"), ("%s/" % home, "own"), ("~/", "own"), ("**/x/", "")):
        (home / ".gitconfig").write_text(config % place)
        assert wrap(box, project, "git", "-C", "/", "config", "user.email").text.strip() == found, place


def test_repositories_that_are_as_git_makes_them_stay(box, project):
    """And so does what the person made before, whatever it says, also where the walk at the start does not look."""
    old = project / "node_modules/old"
    git("init", "-q", str(old), cwd=project)
    git("config", "core.fsmonitor", "tools/watch", cwd=old)
    time.sleep(0.02)  # the file system's clock ticks at most every 10 ms
    work = "git init -q made; git -c protocol.file.allow=always clone -q sub/inner cloned; " \
           "git worktree add -q wt/one; git -C wt/one status --short; " \
           "git -c protocol.file.allow=always submodule add -q $PWD/sub/inner module2; " \
           "cd cloned; git -c user.name=t -c user.email=t commit -q --allow-empty -m x && echo done"
    done = wrap(box, project, "bash", "-ec", work)
    assert done.text == "done\n" and "aside" not in done.words, done.words
    assert old.joinpath(".git/config").exists() and git("status", "--short", cwd=project / "wt/one") == ""
    assert "module2" in git("submodule", "status", cwd=project)


def test_a_clone_that_another_wrap_guards_stays(box, project):
    box.cwd = project
    words = ("wrap", "--", "sh", "-c", "echo ready; cat")
    first = box.start(*words, stdin=subprocess.PIPE)
    first.wait_for(b"ready")
    git("-c", "protocol.file.allow=always", "clone", "-q", "sub/inner", "cloned", cwd=project)
    second = box.start(*words, stdin=subprocess.PIPE)
    second.wait_for(b"ready")
    for one in (first, second):
        one.process.stdin.close()
        one.process.stdin = None
        done = one.finish()
        assert "wrap: " not in done.words, done


def test_a_work_tree_is_in_the_project_and_nothing_is_renamed_twice(box, project):
    """What git checks out there, later, is written with the person's rights."""
    trees = {"linked": "../../out", "linked2": "../../out/../x", "settings": "../../sub/.vscode", "hooks": "../../.git"}
    work = "".join("git init -q %s; git -C %s config core.worktree %s; " % (name, name, tree)
                   for name, tree in trees.items())
    work += "ln -s %s out; git init -q named; mv named/.git x; echo gitdir: ../out/x > named/.git; " % box.dir
    many = ["many%d" % i for i in range(4)]  # more than one read of a directory's names
    work += "for i in %s; do git init -q $i; git -C $i config core.fsmonitor x; " \
            "(cd $i; touch %s-{1..300}); done" % (" ".join(many), "x" * 200)
    done = wrap(box, project, "bash", "-c", work)
    for name in [*trees, "named", *many]:
        assert done.words.count("wrap: %s/.git: " % name) == 1 and "%s/.git.set" % name not in done.words, (name, done)
    assert all((project / name / ".git.set-aside/HEAD.set-aside").exists() for name in many)
    with pytest.raises(subprocess.CalledProcessError):  # nor is it a repository for who goes in, to read
        git("-C", "many0/.git.set-aside", "rev-parse", "--resolve-git-dir", ".", cwd=project)


def test_what_else_is_made_anew_is_told(box, project):
    work = "mkdir -p sub/.idea; echo > sub/.npmrc; echo > mise.toml; git init -q --bare bare; " \
           "git -C bare config core.fsmonitor x; " \
           "mkdir .git/rebase-merge; echo 'exec x' > .git/rebase-merge/git-rebase-todo"
    done = wrap(box, project, "sh", "-c", work)
    for name in ("sub/.idea", "sub/.npmrc", "mise.toml", "bare/HEAD", ".git/rebase-merge/git-rebase-todo"):
        assert done.words.count("wrap: %s: " % name) == 1, (name, done)
    assert (project / "bare/HEAD.set-aside").exists() and not (project / "bare/HEAD").exists(), done
    work = "echo >> sub/.npmrc || echo >> mise.toml || echo kept; for i in $(seq 30); do mkdir -p many/$i/.vscode; done"
    done = wrap(box, project, "sh", "-c", work)
    assert done.text == "kept\n" and "npmrc: the tool" not in done.words and "and 10 more" in done.words, done


def test_what_is_harmful_is_told_beside_many_long_names(box, project):
    """The repository and .git/config are told last: after the new places, whose paths are longer than 64 KiB."""
    work = EVIL % {"owned": box.dir} + """evil sub/inner/a; d=$(printf 'd%.0s' {1..250}); cd sub/inner/a
        for i in {1..13}; do mkdir $d; cd $d; done; mkdir -p {1..30}/.vscode; echo ready; cat"""
    box.cwd = project
    live = box.start("wrap", "--", "bash", "-c", work, stdin=subprocess.PIPE)
    live.wait_for(b"ready")
    git("config", "new.value", "1", cwd=project)
    live.process.stdin.close()
    live.process.stdin = None
    words = live.finish().words
    assert words.count("read it first\n") == 20 and len(words) > 64 * 1024 and "and 10 more places" in words
    assert "wrap: sub/inner/a/.git: the tool made or changed" in words and ".git/config was replaced" in words


NAMED = {  # what git's configuration names, where, and what names it
    "tools/clean": ('.git/config', '[filter "x"]\n\tclean = sh -c \'exec tools/clean %f\'\n'),
    "tools/fsmon": (".git/config", "[core]\n\tfsmonitor = {project}/tools/fsmon\n"),
    "tools/alias": (".git/config", "[alias]\n\tx = \"!tools/alias --all\"\n"),
    "tools/more": (".git/config", "[include]\n\tpath = ../tools/more\n"),
    "tools/hooks/x": ("included", "[core]\n\thooksPath = tools/hooks\n"),
    "tools/later": (".git/config", '[includeIf "gitdir:/"]\n\tpath = ../tools/later\n'),
    "own/hooks/x": ("../home/.gitconfig", "[core]\n\thooksPath = own/hooks\n"),
    "module/hooks/x": (".git/modules/module/config", "[core]\n\thooksPath = hooks\n"),
    "wt/one/hooks/x": (".git/worktrees/one/config.worktree", "[core]\n\thooksPath = {project}/wt/one/hooks\n"),
}


def test_what_the_configuration_of_git_names_is_read_only(box, project):
    (box.dir / "home").mkdir()
    box.env["HOME"] = str(box.dir / "home")
    git("worktree", "add", "-q", "wt/one", cwd=project)
    (project / "included").write_text("")
    with open(project / ".git/config", "a") as f:
        f.write("[include]\n\tpath = ../included\n")
    for name, (file, text) in NAMED.items():
        if name not in ("tools/more", "tools/later"):
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text("#!/bin/sh\n")
        with open(project / file, "a") as f:
            f.write(text.format(project=project))
    before = shot(project)
    work = "".join("echo evil >> %s; echo x > y; mv y %s; rm %s;" % (n, n, n) for n in NAMED) + \
           "mv tools t2; mkdir tools; mv own o2; echo evil >> included; git status >&2; echo end"
    done = wrap(box, project, "sh", "-c", work)
    after = shot(project)
    for index in (".git/index", ".git/modules/module/index", ".git/worktrees/one/index", "y"):
        before.pop(index, None)
        after.pop(index, None)
    assert done.text == "end\n" and after == before, (done, {k for k in after if after.get(k) != before.get(k)})


def test_a_directory_that_cannot_be_read_is_told(box, project):
    if os.geteuid() == 0:
        pytest.skip("root reads any")
    (project / "closed").mkdir(mode=0)
    done = wrap(box, project, "true", options=["--json"])
    (project / "closed").chmod(0o700)
    assert "closed cannot be read" in done.text, done


def test_a_dry_run_refuses_what_the_run_refuses(box, project):
    for words, needle in ((["--no-network", "--allow", "example.org"], "either --no-network or --allow"),
                          (["--no-network", "--network-learn"], "either --no-network or --network-learn"),
                          (["--risk-level", "medium", "--allow", "example.org"], "network.mode is none")):
        for more in ([], ["--dry-run"]):
            box.agent("run", *words, *more, "--", "/bin/true").refused(2, needle)


# ---- Claude Code's hook ----

def hook(box, event, *options):
    text = event if isinstance(event, str) else json.dumps(event)
    done = box.agent("hook", "claude-code", *options, input=text)
    return done, json.loads(done.text)["hookSpecificOutput"] if done.out else None


def bash_call(cwd, command, **more):
    return {"session_id": "s", "transcript_path": "/t", "cwd": str(cwd), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "u",
            "tool_input": {"command": command, "timeout": 5000, "description": "d"}, **more}


def as_claude_code(box, said):
    command = said["updatedInput"]["command"]
    return subprocess.run(["bash", "-c", command], env=box.env, cwd="/", capture_output=True, text=True)


def test_the_hook_sends_a_bash_command_into_the_sandbox(box, project):
    """What Claude Code would then execute is executed here, by the shell that it uses."""
    command = "echo \"it's $((6*7))\" '\\' \"$(pwd)\"; echo x > made; echo x > ../.envrc; exit 3"
    done, said = hook(box, bash_call(project / "scripts", command), "--no-network")
    assert done.code == 0 and said["hookEventName"] == "PreToolUse" and said["permissionDecision"] == "allow", done
    updated = said["updatedInput"]
    assert {k: v for k, v in updated.items() if k != "command"} == {"timeout": 5000, "description": "d"}
    ran = as_claude_code(box, said)
    assert (ran.returncode, ran.stdout) == (3, "it's 42 \\ %s\n" % (project / "scripts")), ran
    assert (project / "scripts/made").read_text() == "x\n" and not (project / ".envrc").exists()
    # started in the project, and changed into a directory of it: the whole project
    box.env["CLAUDE_PROJECT_DIR"] = str(project)
    said = hook(box, bash_call(project / "scripts", "make -C .. && cat ../out"), "--ask")[1]
    assert said["permissionDecision"] == "ask"
    ran = as_claude_code(box, said)
    assert ran.stdout.endswith("TEXT\n"), ran


def test_the_hook_lets_other_tools_pass_and_fails_closed(box, project):
    done, said = hook(box, bash_call(project, "true", tool_name="Edit"))
    assert (done.code, said) == (0, None)
    call = bash_call(project, "true")
    for event, needle in (
            ("", "not a JSON object"), ("[1]", "not a JSON object"), ("{\"cwd\":1,\"cwd\":2}", "not a JSON object"),
            ({**call, "hook_event_name": "PostToolUse"}, "PreToolUse"),
            ({k: v for k, v in call.items() if k != "tool_name"}, "tool_name"),
            ({**call, "tool_input": {}}, "command"), ({**call, "tool_input": {"command": ["true"]}}, "command"),
            ({**call, "tool_input": {"command": "a\0b"}}, "NUL"), ({**call, "cwd": "relative"}, "cwd"),
            ({**call, "cwd": str(project / "none")}, "no directory")):
        done, said = hook(box, event)
        assert done.code == 0 and said["permissionDecision"] == "deny", (event, done)
        assert needle in said["permissionDecisionReason"], (event, done)
    # without the program, the line of the settings blocks: 2 is the code that Claude Code takes for that
    hooks = json.loads((helpers.ROOT / "deploy/claude-code-settings.json").read_text())["hooks"]
    line = hooks["PreToolUse"][0]["hooks"][0]["command"]
    ran = subprocess.run(["/bin/sh", "-c", line], env={"PATH": str(project)}, input="{}",
                         capture_output=True, text=True)
    assert ran.returncode == 2, ran


def test_the_hook_is_attacked(box, project):
    """Whatever a model, a repository or a broken installation makes of it: fenced, or denied."""
    call = bash_call(project, "true")
    for event, needle in (
            ({**call, "cwd": str(project) + "\0/../.."}, "NUL"), ({**call, "tool_name": ["Bash"]}, "tool_name"),
            ({**call, "tool_name": None}, "tool_name"), ({**call, "tool_input": "true"}, "command"),
            ({**call, "tool_input": {"command": ""}}, "command"), ({**call, "cwd": None}, "cwd"),
            ({**call, "cwd": str(box.file("plain", "x"))}, "no directory"),
            (json.dumps(call)[:-9], "not a JSON object"),
            (json.dumps(call) + "{}", "not a JSON object"), ("[" * 5000, "not a JSON object"),
            (json.dumps(call).replace('"true"', '"\\ud800"'), "not a JSON object"),
            ({**call, "more": "x" * (9 << 20)}, "cannot be read")):
        done, said = hook(box, event)
        assert done.code == 0 and said["permissionDecision"] == "deny", (str(event)[:200], done)
        assert needle in said["permissionDecisionReason"], (str(event)[:200], said)
    assert hook(box, {**call, "tool_name": "Bash\0"})[1]["permissionDecision"] in ("allow", "deny")
    denied = hook(box, call, "--allow", "example.org", "--", "evil")[1]
    assert denied["permissionDecision"] == "deny" and "--" in denied["permissionDecisionReason"]


@pytest.mark.parametrize("name", ["with blank", "it's \"quoted\"", "$(touch owned)", "new\nline", "-n", "linked",
                                  "ü;true #"])
def test_the_hook_keeps_a_project_of_any_name_and_no_more(box, project, name):
    """A command that ends the quotes, or the directory's name, has the sandbox's rights all the same."""
    place = box.dir / name
    if name == "linked":
        place.symlink_to(project)
    else:
        place.mkdir()
    outside = box.directory("outside")
    outside.chmod(0o777)
    command = "echo in > made; pwd; cat /proc/1/comm; touch %s/escaped; true'; touch %s/escaped; '" % (outside, outside)
    for words in (command, "echo in > made; pwd; touch %s/escaped; true" % outside):
        said = hook(box, bash_call(place, words), "--no-network")[1]
        assert said["permissionDecision"] == "allow"
        ran = as_claude_code(box, said)
        assert not os.listdir(outside) and not (box.dir / "owned").exists(), ran
    assert ran.stdout == "%s\n" % place.resolve(), ran
    assert (place / "made").read_text() == "in\n"


def test_the_hook_blocks_where_the_installation_is_broken_or_its_answer_is_lost(box, project):
    line = json.loads((helpers.ROOT / "deploy/claude-code-settings.json").read_text())[
        "hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    event = json.dumps(bash_call(project, "true"))
    prefix = box.directory("broken")
    (prefix / "bin").mkdir()
    shutil.copy(helpers.AGENT, prefix / "bin")
    env = {**box.env, "PATH": "%s:/usr/bin:/bin" % (prefix / "bin")}
    # without the program that reads the input
    ran = subprocess.run(["/bin/sh", "-c", line], env=env, input=event, capture_output=True, text=True)
    assert ran.returncode == 2 and not ran.stdout, ran
    # its answer does not arrive
    whole = {**box.env, "PATH": "%s:/usr/bin:/bin" % helpers.AGENT.parent}
    ran = subprocess.run(["/bin/sh", "-c", "(%s) > /dev/full" % line], env=whole, input=event, capture_output=True,
                         text=True)
    assert ran.returncode == 2, ran
    # the command line's program has gone meanwhile
    libexec = prefix / "libexec/sandbox-agent"
    libexec.mkdir(parents=True)
    shutil.copy(helpers.PREFIX / "libexec/sandbox-agent/sandbox-policy", libexec)
    (prefix / "bin/sandbox-agent").unlink()
    ran = subprocess.run([libexec / "sandbox-policy", "hook", "claude-code"], env=env, input=event,
                         capture_output=True, text=True)
    said = json.loads(ran.stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny" and "incomplete" in said["permissionDecisionReason"], ran


# ---- settings of Anthropic's sandbox-runtime ----

def settings(box, network=(), **files):
    rules = {"denyRead": [], "allowWrite": ["."], "denyWrite": [], **files}
    network = {"allowedDomains": [], "deniedDomains": [], **dict(network)}
    return box.file("srt.json", json.dumps({"network": network, "filesystem": rules}))


def test_settings_of_sandbox_runtime(box, project):
    (project / ".env").write_text("KEY=1\n")
    out = box.directory("out")
    file = settings(box, denyRead=["~/.ssh", "secret"], allowRead=[], allowWrite=[".", "/tmp", str(out)],
                    denyWrite=[".env", "config/production.json", "Makefile"], allowGitConfig=True)
    work = "cat secret; echo >> .env; mkdir config; rm -f Makefile; " \
           "touch /tmp/t %s/t in && git config a.b c && echo done" % out
    done = wrap(box, project, "sh", "-c", work, options=["--srt-settings", file])
    assert done.text == "done\n" and done.words.count("Read-only") == 1 and "sandbox's own" in done.words, done
    assert (project / ".env").read_text() == "KEY=1\n" and (project / "Makefile").exists()
    assert not (project / "config").exists()
    assert (out / "t").exists()


def test_what_is_denied_outside_of_the_project_is_kept_or_refused(box, project):
    """A directory that allowWrite names becomes a volume. HOME is a link: what does not exist yet lies behind it."""
    (box.dir / "shared/keys").mkdir(parents=True)
    (box.dir / "linked").symlink_to(box.dir)
    box.env["HOME"] = str(box.dir / "linked")
    both = [".", "~/shared"]
    for denied, written in (("~/shared/keys", both), ("~/shared", [".", "~/shared/keys"]), ("~/shared", both)):
        file = settings(box, denyRead=[denied], allowWrite=written)
        done = wrap(box, project, "true", options=["--srt-settings", file])
        assert done.code == 2 and "filesystem.allowWrite: ~/shared" in done.words, done
    file = settings(box, denyRead=["~"], allowRead=["."], allowWrite=both)
    wrap(box, project, "true", options=["--srt-settings", file]).refused(2, "filesystem.allowWrite: ~/shared")
    rules = json.loads(settings(box, allowWrite=both).read_text())
    rules["credentials"] = {"files": [{"path": "~/shared/keys", "mode": "deny"}]}
    file = box.file("srt.json", json.dumps(rules))
    wrap(box, project, "true", options=["--srt-settings", file]).refused(2, "credentials.files: ~/shared/keys")
    for part, value in (("files", {"path": "~/shared/keys", "mode": "deny"}), ("awsPairs", {})):
        rules["credentials"] = {part: value}
        file = box.file("srt.json", json.dumps(rules))
        wrap(box, project, "true", options=["--srt-settings", file]).refused(2, "credentials")
    file = settings(box, denyRead=["~", "~/.ssh"], allowRead=[".", "~/shared"], allowWrite=both,
                    denyWrite=["~/project/later"])
    done = wrap(box, project, "sh", "-c", "echo 1 > ~-/shared/f; echo 1 > later; echo done".replace("~-", str(box.dir)),
                options=["--srt-settings", file])
    assert done.text == "done\n" and (box.dir / "shared/f").exists() and not (project / "later").exists(), done


REFUSED = [
    ({"httpProxyPort": 1}, {}, "httpProxyPort"), ({"mitmProxy": {}}, {}, "mitmProxy"), ({"unknown": 1}, {}, "unknown"),
    ({"allowedDomains": ["*"]}, {}, "allowedDomains"), ({"allowedDomains": "a.b"}, {}, "not a list"),
    ({"allowedDomains": ["a..b"]}, {}, "a..b"), ({}, {"denyRead": ["/usr/share"]}, "denyRead"),
    ({}, {"denyRead": ["**/.env"]}, "pattern"), ({}, {"denyRead": ["~"]}, "denyRead"),
    ({}, {"allowWrite": []}, "allowWrite"), ({}, {"allowWrite": [".", "/"]}, "more than the project"),
    ({}, {"disabled": True}, "disabled")]


def test_settings_that_cannot_be_kept_are_refused(box, project):
    box.env["HOME"] = str(box.dir)
    for network, files, key in REFUSED:
        done = wrap(box, project, "true", options=["--srt-settings", settings(box, network, **files)])
        assert done.code == 2 and key in done.words, done


def test_the_network_of_the_settings(box, project):
    """Empty means none; otherwise what it names, and nothing else: as the plan's rules."""
    words = ["wrap", "--srt-settings"]
    box.cwd = project
    code = "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname()); " \
           "socket.create_connection(('192.0.2.1', 80), 5)"
    done = box.agent(*words, settings(box), "--", "python3", "-c", code)
    assert done.code == 1 and "PermissionError" in done.words, done
    file = settings(box, {"allowedDomains": ["*.example.com", "192.0.2.0:443"], "deniedDomains": ["*:22"]})
    done = box.agent(*words, file, "--", "python3", "-c", code)
    assert done.code == 1 and "PermissionError" in done.words, done


# ---- review: the tool changes a copy ----

@pytest.fixture
def copies(box):
    """Where the copy lies while the tool works; nothing is there afterwards."""
    place = box.directory("copies", 0o755)
    box.env["TMPDIR"] = str(place)
    yield place
    assert os.listdir(place) == []


WORK = r"""
set -e
echo two >> in; chmod +x in; rm secret; mkdir -p new/deep; echo x > new/deep/f; ln -s ../in new/link
git add in; git commit -qm second
# never applied
mkdir -p new/a/b; ln -s ../../.. new/a/b/up; ln -s a/b/up/../outside new/round
ln -s ../../outside new/out; ln -s /etc/passwd new/absolute; mkfifo new/fifo
mkdir -p mine/.vscode; echo t > mine/.vscode/tasks.json
git init -q mine/inner; echo x > mine/inner/.git/hooks/pre-commit; echo y > mine/kept
printf 'a\033]0;owned\007\n' > escape
"""


def test_what_is_kept_is_what_the_tool_did(box, project, copies):
    done = wrap(box, project, "bash", "-c", WORK, options=["--review=keep"])
    assert done.code == 0, done
    assert (project / "in").read_text() == "text\ntwo\n" and (project / "in").stat().st_mode & 0o111
    assert not (project / "secret").exists() and (project / "new/deep/f").read_text() == "x\n"
    assert os.readlink(project / "new/link") == "../in"
    assert sorted(os.listdir(project / "new")) == ["a", "deep", "link"] and os.path.islink(project / "new/a/b/up")
    assert sorted(os.listdir(project / "mine")) == ["inner", "kept"] and os.listdir(project / "mine/inner") == []
    assert git("log", "--format=%s", cwd=project) == "second\nfirst\n" and git("diff", "--stat", cwd=project) == ""
    assert "+two" in done.words and "D secret" in done.words and "leads out" in done.words and "\x1b" not in done.words
    owner = project.stat()
    assert {(p.lstat().st_uid, p.lstat().st_gid) for p in project.rglob("*")} == {(owner.st_uid, owner.st_gid)}


SHUT = "mkdir -p shut/in; touch shut/in/f; chmod 555 shut/in; chmod 0 shut\n"
UNSEEN = r"""
mkdir -p src/.vscode other; echo 1 > src/.vscode/tasks.json; echo 2 > src/kept; mv scripts other/; mkdir scripts
echo 3 > scripts/.npmrc; mv sub moved; mkdir -p sub/.vscode; echo evil > sub/.vscode/tasks.json
mkdir -p bare/objects bare/refs; printf '[core]
fsmonitor = x
' > bare/config; echo ref: refs/heads/x > bare/HEAD
mkdir -p .git/modules/new .git/worktrees/new .git/rebase-merge; printf '[core]
fsmonitor = x
' > .git/modules/new/config
echo ../../bare > .git/worktrees/new/commondir; echo exec x > .git/rebase-merge/git-rebase-todo
echo x > .bare/modules/x; mkdir .bare/worktrees; mkdir .bare/worktrees/x; echo x > .bare/worktrees/x/commondir
ln -s hooks .git/hooks2; echo x > mise.toml; mv in .tool-versions; mkdir gitdir; echo gitdir: ../bare > gitdir/.git
"""


def test_a_review_applies_nothing_that_is_executed_later(box, project, copies):
    """Also where the tool has made or renamed a directory, and in git directories that are not called .git."""
    shutil.copytree(project / ".git/modules/module", project / ".bare", symlinks=True)
    (project / ".bare/modules").mkdir()
    places = (".vscode", ".npmrc", "mise.toml", ".tool-versions", "HEAD", "rebase-merge", "commondir")
    before = {p for p in shot(project) if any(part in places for part in pathlib.Path(p).parts)}
    done = wrap(box, project, "sh", "-c", UNSEEN, options=["--review=keep"])
    after = {p for p in shot(project) if any(part in places for part in pathlib.Path(p).parts)}
    assert done.code in (0, 125) and (project / "src/kept").exists() and (project / "moved/inner").is_dir(), done
    assert after <= before, after - before
    assert not (project / ".git/modules/new/config").exists() and not (project / "gitdir/.git").exists(), done
    assert (project / "sub/.vscode/tasks.json").read_text() == "{}\n", done


def test_a_write_by_mmap_on_tmpfs_is_seen(box, project):
    """A page that was read before is written without a fault, and no time changes."""
    if not os.access("/dev/shm", os.W_OK) or b"tmpfs" not in subprocess.run(
            ["stat", "-f", "-c", "%T", "/dev/shm"], capture_output=True, check=True).stdout:
        pytest.skip("/dev/shm is no tmpfs that can be written")
    code = "import mmap; f = open('in', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0]; m[0] = 84"
    with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
        os.chmod(place, 0o755)
        box.env["TMPDIR"] = place
        profile = box.derive("low", filesystem__allowed_mounts=[place])
        done = wrap(box, project, "python3", "-c", code, options=["--review=keep", "--profile", profile])
    assert done.code == 0 and (project / "in").read_text() == "Text\n" and "1 change, 1 can" in done.words, done


def test_what_is_dropped_leaves_no_trace(box, project, copies):
    before = shot(project)
    done = wrap(box, project, "bash", "-c", WORK + SHUT + "exit 4", options=["--review=drop"])
    assert done.code == 4 and "A new/deep/f" in done.words and "dropped" in done.words, done
    deep = "import os\nfor i in range(400):\n    os.mkdir('d'); os.chdir('d')\n"
    done = wrap(box, project, "python3", "-c", deep, options=["--review=keep"])
    assert done.code == 125 and "nothing is applied" in done.words, done
    done = wrap(box, project, "true", options=["--review=keep"])
    assert done.code == 0 and "0 changes" in done.words, done
    assert wrap(box, project, "true", options=["--review=maybe"]).code == 2
    assert shot(project) == before


def test_what_changed_meanwhile_is_left_alone(box, project, copies):
    """By the person: and a directory that has become a link leads nowhere."""
    box.cwd = project
    outside = box.directory("outside", 0o755)
    work = "echo ready; cat; echo tool >> in; rm Makefile; echo x > scripts/x"
    live = box.start("wrap", "--review=keep", "--", "sh", "-c", work, stdin=subprocess.PIPE)
    live.wait_for(b"ready")
    (project / "in").write_text("mine\n")
    (project / "Makefile").write_text("mine\n")
    shutil.rmtree(project / "scripts")
    os.symlink(outside, project / "scripts")
    live.process.stdin.close()
    live.process.stdin = None
    done = live.finish()
    assert done.code == 125 and done.words.count("not applied: ") == 3, done
    assert (project / "in").read_text() == (project / "Makefile").read_text() == "mine\n" and os.listdir(outside) == []


@pytest.mark.parametrize("early, answer, kept", [(b"", b"y", True), (b"y", b"no", False)])
def test_a_person_is_asked(box, project, copies, early, answer, kept):
    """What was typed before the question is no answer, even where the tool does not read the terminal."""
    gate = os.pipe()
    pid, main = pty.fork()
    if pid == 0:
        os.chdir(project)
        os.read(gate[0], 1)
        if early:
            os.dup2(gate[0], 0)
        work = "test -t 0 && echo on a terminal; echo x > made"
        os.execve(helpers.AGENT, ["sandbox-agent", "wrap", "--review", "--", "sh", "-c", work], box.env)
    seen = b""
    os.write(main, early + b"\n")
    while b"\n" not in seen:  # it is echoed: the terminal has it
        seen += os.read(main, 4096)
    os.write(gate[1], b"x")
    os.close(gate[0])
    os.close(gate[1])
    while b"[y/N]" not in seen:
        seen += os.read(main, 4096)
    os.write(main, answer + b"\n")
    with contextlib.suppress(OSError):  # EIO: the last one has closed it
        while os.read(main, 4096):
            pass
    assert os.waitpid(pid, 0)[1] == 0
    os.close(main)
    assert (b"on a terminal" in seen) == (not early)
    assert (project / "made").exists() == kept
