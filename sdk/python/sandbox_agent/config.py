"""Where the service is, and with which key: arguments, then the environment, then the configuration file that the
service reads too.

    SANDBOX_AGENT_URL      http://host:port, https://host, unix:///path/of/socket; without a path, /api/v1/sandbox
    SANDBOX_AGENT_API_KEY  the key
    SANDBOX_AGENT_CONFIG   the configuration file
    SANDBOX_AGENT_CA_FILE  PEM file of the certificates to trust, for https with a private certificate
    SANDBOX_AGENT_BIN      the command line program, where it is not in PATH

The file is read by `sandbox-agent config show` where that is installed: it checks every key and knows the default
places. Elsewhere (a client on another machine) _yaml.py reads its section endpoints.api. """
import os
from typing import Any, Dict, List, Mapping, Optional

from .errors import InvalidRequest, SandboxError

__all__ = ["Address", "Settings", "parse_url", "find_program", "resolve", "endpoints_api", "workspace_roots"]

BASE_PATH = "/api/v1/sandbox"
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


class Address:
    """An address of the service, in its parts. scheme: http, https, unix."""

    def __init__(self, scheme: str, host: str, port: int, socket: str, base_path: str) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self.socket = socket
        self.base_path = base_path

    @property
    def root(self) -> str:
        """Before /healthz and the like, which are outside the base path; a proxy's prefix stays."""
        return self.base_path[: -len(BASE_PATH)] if self.base_path.endswith(BASE_PATH) else ""

    @property
    def is_local(self) -> bool:
        """Whether what is sent stays on this machine."""
        return self.scheme == "unix" or self.host in ("localhost", "::1") or self.host.startswith("127.")

    def __str__(self) -> str:
        if self.scheme == "unix":
            return "unix://" + self.socket
        host = "[%s]" % self.host if ":" in self.host else self.host
        return "%s://%s:%d%s" % (self.scheme, host, self.port, self.base_path)


class Settings:
    """What a client was given, and what followed from it. is_explicit: the address was named, and nothing else will
    do."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        ca_file: Optional[str] = None,
        program: Optional[str] = None,
        config: Optional[str] = None,
    ) -> None:
        self.address: Optional[Address] = None
        self.is_explicit = False
        self.api_key = api_key
        self.ca_file = ca_file
        self.program = program
        self.config = config

    def __repr__(self) -> str:
        return "<Settings %s>" % (self.address or self.program)  # without the key


def _bad(text: str) -> InvalidRequest:
    return InvalidRequest(text, "bad_configuration")


def parse_url(url: str, base_path: str = BASE_PATH) -> Address:
    """The address that a URL names; InvalidRequest says what is wrong with it."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as e:
        raise _bad("%r: %s" % (url, e)) from None
    base_path = "/" + base_path.strip("/") if base_path.strip("/") else ""
    if parts.scheme == "unix":
        if not parts.path.startswith("/") or parts.netloc:
            raise _bad("%r: expected unix:///path/of/socket" % url)
        return Address("unix", "localhost", 0, parts.path, base_path)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise _bad("%r: expected http://host:port, https://host or unix:///path/of/socket" % url)
    if parts.username is not None:
        raise _bad("a key does not belong in the URL: use api_key or SANDBOX_AGENT_API_KEY")
    path = parts.path.rstrip("/")
    return Address(
        parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80), "", path or base_path
    )


def find_program(given: Optional[str] = None) -> Optional[str]:
    """The command line program; one that was named and is not there is an error."""
    import shutil

    named = given or os.environ.get("SANDBOX_AGENT_BIN")
    found = shutil.which(named or "sandbox-agent")
    if named and not found:
        raise _bad("%s is no program (SANDBOX_AGENT_BIN)" % named)
    return os.path.abspath(found) if found else None


def _ask_program(program: str, config: Optional[str]) -> Dict[str, Any]:
    import json
    import subprocess

    argv = [program, "config", "show", "--json"] + (["--config", config] if config else [])
    try:
        answer = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as e:
        raise _bad("%s config show: %s" % (program, e)) from None
    if answer.returncode:
        raise _bad(answer.stderr.decode("utf-8", "replace").strip() or "%s config show failed" % program)
    try:
        return dict(json.loads(answer.stdout)["values"]["endpoints"]["api"])
    except (ValueError, KeyError, TypeError) as e:
        raise _bad("%s config show: unexpected answer (%r)" % (program, e)) from None


def _default_places() -> List[str]:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return ["/etc/sandbox-agent/config.yaml", os.path.join(home, "sandbox-agent", "config.yaml")]


def _named_file(config: Optional[str]) -> Optional[str]:
    """The file that was named; a usual place is read anyway, and may be empty."""
    config = config or os.environ.get("SANDBOX_AGENT_CONFIG") or None
    return None if config in _default_places() and not os.path.exists(config) else config


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> Dict[str, Any]:
    """Key by key, as the service does; a null sets nothing."""
    merged = dict(below)
    for name, value in above.items():
        old = merged.get(name)
        if isinstance(value, dict) and isinstance(old, dict):
            merged[name] = _merge(old, value)
        elif value is not None:
            merged[name] = value
    return merged


def _read_file(path: str) -> Dict[str, Any]:
    from ._yaml import ConfigError, read_section

    try:
        with open(path, encoding="utf-8") as f:
            return read_section(f.read(), ["endpoints", "api"])
    except (OSError, UnicodeDecodeError, ConfigError) as e:
        raise _bad("%s: %s" % (path, e)) from None


def endpoints_api(program: Optional[str], config: Optional[str]) -> Dict[str, Any]:
    """The section endpoints.api of the configuration; `config` (or SANDBOX_AGENT_CONFIG) on top of the default
    places."""
    config = _named_file(config)
    if config and not os.path.isfile(config):
        raise _bad("%s: no such configuration file" % config)
    if program:
        return _ask_program(program, config)
    api: Dict[str, Any] = {}
    for path in [p for p in _default_places() if os.path.exists(p)] + ([config] if config else []):
        api = _merge(api, _read_file(path))
    return api


def _address(api: Mapping[str, Any]) -> Address:
    base_path = str(api.get("base_path") or BASE_PATH)
    url = api.get("url")
    if url:
        return parse_url(str(url), base_path)
    path = api.get("socket")
    if path and os.path.exists(str(path)):
        return parse_url("unix://" + str(path), base_path)
    host = str(api.get("host") or "127.0.0.1")
    host = EVERYWHERE.get(host, host)
    has_tls = bool((api.get("tls") or {}).get("certificate"))
    port = api.get("port") or 8080
    if not str(port).isdecimal() or not 0 < int(port) < 65536:
        raise _bad("endpoints.api.port %r: expected 1 to 65535" % (port,))
    return Address("https" if has_tls else "http", host, int(port), "", base_path)


def _key_of(path: str) -> str:
    try:
        with open(path, encoding="ascii") as f:
            return f.read(4096).strip()
    except (OSError, UnicodeDecodeError) as e:
        raise SandboxError("endpoints.api.key_file %s: %s" % (path, e), "bad_configuration", retry_safe=True) from None


def resolve(
    url: Optional[str],
    api_key: Optional[str],
    config: Optional[str],
    ca_file: Optional[str],
    program: Optional[str],
    wants_service: bool,
) -> Settings:
    """wants_service: False asks for the program only, and reads no file."""
    environ = os.environ
    s = Settings(
        program=find_program(program),
        config=_named_file(config),
        api_key=api_key or environ.get("SANDBOX_AGENT_API_KEY") or None,
        ca_file=ca_file or environ.get("SANDBOX_AGENT_CA_FILE") or None,
    )
    if not wants_service:
        return s
    url = url or environ.get("SANDBOX_AGENT_URL") or None
    if url:
        s.address, s.is_explicit = parse_url(url), True
    if s.address is None or (s.api_key is None and s.config):
        api = endpoints_api(s.program, s.config)
        if s.address is None:
            s.address, s.is_explicit = _address(api), bool(api.get("url"))
        if s.api_key is None and api.get("key_file"):
            s.api_key = _key_of(str(api["key_file"]))
    if s.api_key is not None and (not s.api_key.isascii() or not s.api_key.isprintable() or " " in s.api_key):
        raise _bad("the key has characters that no key has")
    return s


def workspace_roots(program: Optional[str] = None, config: Optional[str] = None) -> List[str]:
    """Host directories below which a workspace may lie: SANDBOX_AGENT_WORKSPACE_ROOT and SANDBOX_AGENT_WORKSPACE_ROOTS
    (colon-separated), else endpoints.api.volume_roots."""
    named = [
        os.environ[name]
        for name in ("SANDBOX_AGENT_WORKSPACE_ROOT", "SANDBOX_AGENT_WORKSPACE_ROOTS")
        if name in os.environ
    ]
    if named:
        return [p for text in named for p in text.split(os.pathsep) if p]
    found = endpoints_api(find_program(program), config).get("volume_roots") or []
    return [str(p) for p in (found if isinstance(found, list) else [found])]
