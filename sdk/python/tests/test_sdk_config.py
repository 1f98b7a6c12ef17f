"""Where the service is: arguments before environment before file; and the reader for files where no program is
installed."""
import random
import subprocess
import sys

import pytest
import sdk_support as s

from sandbox_agent import InvalidRequest, SandboxError, _yaml
from sandbox_agent._yaml import ConfigError, read_section
from sandbox_agent.config import endpoints_api, parse_url, resolve, workspace_roots

FILE = """\
# a comment
sandbox:
  enabled: true
  resolvers: [
    "a", b ]            # not ours: whatever it is
  odd: &anchor {x: 1}
endpoints:
  webhooks:
    urls: [https://x.example/#a]
  api:   # here
    host: 0.0.0.0
    port: 9090
    base_path: "/sand \\"box\\""
    url: ~
    key_file: '/it''s/key'   # trailing
    volume_roots:
    - /a
    - "/b # c"
    allowed_hosts: [a, "b", 'c']
    tls:
      certificate: /x.pem
      key: null
  further: 1
other: yes
"""


def test_reader_takes_the_section_and_nothing_else():
    assert read_section(FILE, ["endpoints", "api"]) == {
        "host": "0.0.0.0",
        "port": 9090,
        "base_path": '/sand "box"',
        "url": None,
        "key_file": "/it's/key",
        "volume_roots": ["/a", "/b # c"],
        "allowed_hosts": ["a", "b", "c"],
        "tls": {"certificate": "/x.pem", "key": None},
    }
    assert read_section("a: 1\n", ["endpoints", "api"]) == {} and read_section("", ["endpoints"]) == {}


@pytest.mark.parametrize(
    "section",
    [
        "port: &a 1",
        "port: *a",
        "host: \"open",
        "host: 'a'b'",
        "- a",
        "port: 1\n    port: 2",
        "host: a\n      b: c",
        "port: 1\n   host: x",
        "x",
        "host: \"a\\q\"",
        "host: !x y",
        "tls: {a: 1",
        "tls: {a: 1]",
        "host: [a, &b c]",
        "tls: {a: 1, a: 2}",
        "<<: {port: 1}",
        "host: @x",
        "host: \"\\ud800\"",
        "volume_roots: " + "[" * 80,
        "host: a\n---\nb: c",
        "host: >x\n      a",
    ],
)
def test_reader_refuses_what_the_service_refuses_in_its_section(section):
    with pytest.raises(ConfigError, match="line "):
        read_section("endpoints:\n  api:\n    %s\n" % section, ["endpoints", "api"])


STYLES = [
    "endpoints:\n  api:\n    port: 1234\n    host: '::1'\n    base_path: /x/y # c\n    volume_roots: [/a, \"/b\"]\n",
    "endpoints: {api: {port: 1234, host: '::1', base_path: /x/y, volume_roots: [/a, \"/b\",]}}",
    '{"endpoints": {"api": {"port":1234, "host":"::1",\n "base_path": "/x/y", # c\n "volume_roots": ["/a",\n'
    '  "/b"]}}}\n',
    "--- # c\nendpoints:\n    api: {port: 1234,\n  host: '::1',\n base_path: /x/y,volume_roots: [\n/a , '/b'\n]\n}\n"
    "...\n",
    "sandbox: {enabled: true}\r\n'endpoints':\r\n  \"api\":\r\n    port:\r\n      1234\r\n    host: \"::\\x31\"\r\n"
    "    base_path: \"/x\\\r\n      /y\"\r\n    volume_roots:\r\n    - /a\r\n    -\r\n      /b\r\n",
    "? endpoints\n: ? api\n  : ? port\n    : 1234\n    ? host\n    : '::1'\n    base_path: >-\n     /x/y\n"
    "    volume_roots: [/a, '/b']\n",
    "endpoints:\n api:\n  host: |-\n    ::1\n  volume_roots:\n  - |-\n      /a\n  - >-\n    /b\n  base_path: '/x/y'\n"
    "  port: '1234'\n",
]


@pytest.mark.parametrize("number", range(len(STYLES)))
def test_reader_agrees_with_the_program_in_every_style(place, number):
    """Same file, both ways."""
    program = str(s.need_program())
    place.config.write_bytes(STYLES[number].encode())
    ours, theirs = endpoints_api(None, str(place.config)), endpoints_api(program, str(place.config))
    assert {k: str(v) for k, v in ours.items()} == {
        k: str(theirs[k]) for k in ("port", "host", "base_path", "volume_roots")
    }
    assert (theirs["port"], theirs["host"], theirs["base_path"], theirs["volume_roots"]) == (
        1234,
        "::1",
        "/x/y",
        ["/a", "/b"],
    )


def plain(node):
    if node is None:
        return ""
    if isinstance(node, _yaml._Scalar):
        return node.text
    return (
        [plain(i) for i in node.items]
        if isinstance(node, _yaml._List)
        else [(plain(k), plain(v)) for k, v in node.pairs]
    )


def test_reader_agrees_with_libyaml_on_generated_files():
    """Random values in random styles, as PyYAML writes them and its libyaml reads them."""
    yaml = pytest.importorskip("yaml")
    if not hasattr(yaml, "CBaseLoader"):
        s.skip("this PyYAML is without libyaml")

    def theirs(node):
        if isinstance(node, yaml.ScalarNode):
            return node.value
        return (
            [theirs(n) for n in node.value]
            if isinstance(node, yaml.SequenceNode)
            else [(theirs(k), theirs(v)) for k, v in node.value]
        )

    rng = random.Random(13)
    words = [
        "a",
        "b c",
        "x: y",
        "- z",
        "#no",
        "a #c",
        "'",
        '"',
        "\xe9",
        "null",
        "~",
        "12",
        "multi\nline",
        "two\n\nlines",
        " lead",
        "trail ",
        "",
        "[x]",
        "{a}",
        "a,b",
        "a:b",
        "http://x:1/#f",
        "\ttab",
        "end\n",
        "|",
        "> x",
        "%d",
        "@x",
        "`",
        "*s",
        "&a",
        "!t",
        "?",
        "-",
        "?x",
        "-x",
        ":x",
        "x:",
        "a\\b",
        "long " + "word " * 20,
    ]

    def value(depth):
        choice = rng.random()
        if depth > 3 or choice < 0.5:
            return rng.choice(words)
        items = range(rng.randrange(4))
        return (
            [value(depth + 1) for _ in items]
            if choice < 0.75
            else {rng.choice(words) + str(i): value(depth + 1) for i in items}
        )

    for _ in range(400):
        text = yaml.dump(
            {"k%d" % i: value(0) for i in range(3)},
            default_flow_style=rng.choice([True, False, None]),
            allow_unicode=rng.random() < 0.5,
            default_style=rng.choice([None, None, '"', "'", "|", ">"]),
            width=rng.choice([20, 80, 1000]),
            indent=rng.choice([2, 3, 8]),
            explicit_start=rng.random() < 0.2,
            explicit_end=rng.random() < 0.2,
            line_break=rng.choice([None, "\r\n"]),
        )
        assert plain(_yaml._Reader(text).document()) == theirs(yaml.compose(text, Loader=yaml.CBaseLoader)), text


def test_reader_ends_on_any_input():
    """An answer or ConfigError, whatever the bytes."""
    rng = random.Random(7)
    for _ in range(3000):
        text = list(rng.choice(STYLES + [FILE]))
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(text) + 1)
            text[at : at + rng.randrange(4)] = rng.choice(
                "\n : - # , [ ] { } ' \" \\ | > ? & * ! % \t x".split(" ") + ["\n  ", "---\n", "\0", "\ud800"]
            )
        try:
            read_section("".join(text), ["endpoints", "api"])
        except ConfigError as e:
            assert "line " in str(e)


def test_program_refuses_unknown_keys_for_us(place):
    place.config.write_text("endpoints:\n  api:\n    prot: 1\n")
    with pytest.raises(InvalidRequest, match="prot"):
        endpoints_api(str(s.need_program()), str(place.config))


def test_argument_beats_environment_beats_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    config = tmp_path / "c.yaml"
    key = tmp_path / "key"
    key.write_text("sa_file\n")
    config.write_text("endpoints:\n  api:\n    url: http://file:1\n    key_file: %s\n" % key)

    def got(**given):
        found = resolve(given.get("url"), given.get("api_key"), str(config), None, None, True)
        return str(found.address), found.api_key, found.is_explicit

    assert got() == ("http://file:1/api/v1/sandbox", "sa_file", True)
    monkeypatch.setenv("SANDBOX_AGENT_URL", "https://env/x")
    monkeypatch.setenv("SANDBOX_AGENT_API_KEY", "sa_env")
    assert got() == ("https://env:443/x", "sa_env", True)
    assert got(url="unix:///s", api_key="sa_arg") == ("unix:///s", "sa_arg", True)


def test_file_says_host_port_socket_and_tls(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    config = tmp_path / "c.yaml"

    def address(text):
        config.write_text("endpoints:\n  api:\n" + "".join("    %s\n" % line for line in text.split(";")))
        found = resolve(None, None, str(config), None, None, True)
        assert not found.is_explicit
        return str(found.address)

    assert address("port: 9") == "http://127.0.0.1:9/api/v1/sandbox"
    assert address("host: '::';base_path: /b") == "http://[::1]:8080/b"
    assert address("tls:;  certificate: /c.pem") == "https://127.0.0.1:8080/api/v1/sandbox"
    assert address("socket: /nonexistent.sock") == "http://127.0.0.1:8080/api/v1/sandbox"
    assert address("socket: %s" % config) == "unix://%s" % config
    assert resolve(None, None, None, None, None, True).address.port == 8080  # no file at all


@pytest.mark.parametrize(
    "url", ["ftp://x", "http://", "unix://x", "http://u:p@h", "http://h:99999", "http://h?x", "localhost:8080"]
)
def test_what_is_no_url_is_refused(url):
    with pytest.raises(InvalidRequest):
        parse_url(url)


def test_health_is_outside_the_base_path_and_inside_a_proxys():
    assert (
        parse_url("http://h").root == ""
        and parse_url("http://h/pre/api/v1/sandbox/").root == "/pre"
        and parse_url("http://h/x").root == ""
    )


@pytest.mark.parametrize("key", ["a b", "x\r\nHost: y", "é"])
def test_key_that_is_no_key_is_refused(key, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InvalidRequest) as e:
        resolve("http://h", key, None, None, None, True)
    assert key not in str(e.value)


def test_missing_files_are_errors_that_name_them(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InvalidRequest, match="nowhere.yaml"):
        resolve(None, None, "/nowhere.yaml", None, None, True)
    config = tmp_path / "c.yaml"
    config.write_text("endpoints:\n  api:\n    key_file: /no/key\n")
    with pytest.raises(SandboxError, match="/no/key"):
        resolve(None, None, str(config), None, None, True)


def test_workspace_roots_come_from_environment_or_configuration(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    config = tmp_path / "c.yaml"
    config.write_text("endpoints:\n  api:\n    volume_roots: [/srv/a]\n")
    assert workspace_roots(config=str(config)) == ["/srv/a"]
    monkeypatch.setenv("SANDBOX_AGENT_WORKSPACE_ROOTS", "/x:/y")
    assert workspace_roots(config=str(config)) == ["/x", "/y"]
    monkeypatch.setenv("SANDBOX_AGENT_WORKSPACE_ROOTS", "")
    assert workspace_roots(config=str(config)) == []


def test_key_on_the_way_to_another_machine_without_tls_is_warned_of(recwarn):
    from sandbox_agent import Sandbox

    Sandbox("http://192.0.2.1", "sa_x", mode="service").mode
    assert any("use https" in str(w.message) for w in recwarn)
    recwarn.clear()
    Sandbox("http://127.0.0.1", "sa_x", mode="service").mode
    assert not recwarn.list


def test_import_takes_only_the_standard_library():
    code = (
        "import sys; sys.path.insert(0, %r); import sandbox_agent, agixt.sandbox; "
        "own = {m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names) - {'__main__'}; print(sorted(own))"
        % str(s.ROOT / "sdk/python")
    )
    out = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "['agixt', 'sandbox_agent']"
