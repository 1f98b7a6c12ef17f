"""What comes back: mappings with attributes. `result["stdout"]` and `result.stdout` are the same; a member that a
newer service adds is there as well, by either way."""
from typing import Any, Dict, Iterator, List, Mapping, Optional

from .errors import ExecutionFailed

__all__ = [
    "Record",
    "ExecutionResult",
    "Isolation",
    "Violation",
    "Finding",
    "Need",
    "ClampedLimit",
    "Timing",
    "Trust",
    "ScanReport",
    "Agent",
    "Artifact",
]


class Record(Mapping[str, Any]):
    """A read-only JSON object whose members are attributes, too."""

    __slots__ = ("_data",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_data", dict(data))

    _data: Dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError("%s has no %s" % (type(self).__name__, name)) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("%s is read-only" % type(self).__name__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._data == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return type(self), (self._data,)

    def __repr__(self) -> str:
        return "%s(%r)" % (type(self).__name__, self._data)

    def to_dict(self) -> Dict[str, Any]:
        """The JSON object as it came; a copy."""
        copied: Dict[str, Any] = _copy(self._data)
        return copied

    def _list(self, name: str) -> List[Dict[str, Any]]:
        found = self._data.get(name)
        return found if isinstance(found, list) else []


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return [_copy(v) for v in value] if isinstance(value, list) else value


class Isolation(Record):
    """What was in force: user_ns, pid_ns, mount_ns, net, seccomp, landlock, cgroup, apparmor, selinux, no_new_privs,
    caps, uid …"""

    @property
    def missing(self) -> List[str]:
        """What was asked for and not in force, in words."""
        return list(self._data.get("missing") or [])

    @property
    def limits(self) -> Record:
        """memory_bytes, timeout_ms, pids …: the limits in force."""
        return Record(self._data.get("limits") or {})


class Violation(Record):
    """type, detail, at_ms, severity"""


class Finding(Record):
    """rule, line, text, risk_increase, severity, message …"""


class Need(Record):
    """need (network, programs, deletion …), rule, line, text, message: a fact, which raises no risk"""


class ClampedLimit(Record):
    """field (timeout, memory, cpu), requested, granted: in seconds, bytes, cores"""


class Timing(Record):
    """queue_ms, scan_ms, decide_ms, start_ms, run_ms, settle_ms: where the time went, in parts that do not overlap"""


class Trust(Record):
    """before, after"""


class Agent(Record):
    """agent_id, trust, standing, runs …"""


class Artifact(Record):
    """name, size, and sha256 where it is known"""


class ScanReport(Record):
    """What `sandbox-agent scan --json` says."""

    @property
    def findings(self) -> List[Finding]:
        """What it found, one entry for each place."""
        return [Finding(f) for f in self._list("findings")]

    @property
    def needs(self) -> List[Need]:
        """What the program needs for its work (network, programs ...): facts, which raise no risk."""
        return [Need(n) for n in self._list("needs")]

    @property
    def risk_increase(self) -> float:
        """By how much all findings together raise the risk, 0 to 1."""
        return float(self._data.get("risk_increase") or 0)


class ExecutionResult(Record):
    """One execution: how it ended, what it printed, what was in force. Read-only; attributes and members are the
    same."""

    @property
    def ok(self) -> bool:
        """Whether the code ended with exit code 0."""
        return self.reason == "completed"

    @property
    def execution_id(self) -> str:
        """The run's id."""
        return str(self._data["execution_id"])

    @property
    def agent_id(self) -> Optional[str]:
        """The agent; None for an anonymous run."""
        return self._data.get("agent_id")

    @property
    def language(self) -> Optional[str]:
        """As it was understood: an alias reads as the language that it stands for."""
        return self._data.get("language")

    @property
    def risk_level(self) -> Optional[str]:
        """low, medium or high: the level at which it ran."""
        return self._data.get("risk_level")

    @property
    def backend(self) -> str:
        """Where it ran: native or docker"""
        return str(self._data.get("backend") or "native")

    @property
    def reason(self) -> str:
        """completed, error, signal, timeout, oom, pids_limit, output_limit, killed, policy_denied, sandbox_error"""
        return str(self._data["reason"])

    @property
    def exit_code(self) -> Optional[int]:
        """None where it has none: ended by a signal, or not run."""
        return self._data.get("exit_code")

    @property
    def signal(self) -> Optional[int]:
        """The number of the signal that ended it, or None."""
        return self._data.get("signal")

    @property
    def stdout(self) -> str:
        """Its standard output as text; what is no UTF-8 reads U+FFFD."""
        return str(self._data.get("stdout") or "")

    @property
    def stderr(self) -> str:
        """Its standard error, likewise."""
        return str(self._data.get("stderr") or "")

    @property
    def stdout_truncated(self) -> bool:
        """Whether more came than is kept."""
        return bool(self._data.get("stdout_truncated"))

    @property
    def stderr_truncated(self) -> bool:
        """Whether more came than is kept."""
        return bool(self._data.get("stderr_truncated"))

    @property
    def duration_ms(self) -> float:
        """From its start to its end."""
        return float(self._data.get("duration_ms") or 0)

    @property
    def timing(self) -> Timing:
        """Where the time went; empty from a service that does not say."""
        return Timing(self._data.get("timing") or {})

    @property
    def cpu_ms(self) -> float:
        """Processor time, of all its processes."""
        return float(self._data.get("cpu_ms") or 0)

    @property
    def peak_memory_bytes(self) -> int:
        """The most memory that it had at once."""
        return int(self._data.get("peak_memory_bytes") or 0)

    @property
    def violations(self) -> List[Violation]:
        """What it did that the profile forbids."""
        return [Violation(v) for v in self._list("violations")]

    @property
    def findings(self) -> List[Finding]:
        """What the scan found before it ran."""
        return [Finding(f) for f in self._list("findings")]

    @property
    def needs(self) -> List[Need]:
        """What the program needs for its work, by the scan: facts, which raise no risk."""
        return [Need(n) for n in self._list("needs")]

    @property
    def kill_switch(self) -> Optional[str]:
        """The kill switch that ended it, or None."""
        return self._data.get("kill_switch")

    @property
    def trust(self) -> Optional[Trust]:
        """The agent's trust before and after; None without an agent."""
        found = self._data.get("trust")
        return Trust(found) if found else None

    @property
    def isolation(self) -> Optional[Isolation]:
        """What was in force; None where nothing ran."""
        found = self._data.get("isolation")
        return Isolation(found) if found else None

    @property
    def limits_clamped(self) -> List[ClampedLimit]:
        """The limits that were asked for above the level's and lowered to them, over HTTP; with strict_limits the
        service refuses instead."""
        return [ClampedLimit(c) for c in self._list("limits_clamped")]

    @property
    def error(self) -> Optional[Record]:
        """Why it did not run: code, message, step, remedy; or None."""
        found = self._data.get("error")
        return Record(found) if found else None

    def check(self) -> "ExecutionResult":
        """Itself when `ok`; otherwise raises ExecutionFailed."""
        if not self.ok:
            raise ExecutionFailed(self)
        return self

    def __repr__(self) -> str:
        return "<ExecutionResult %s %s exit_code=%s stdout=%r>" % (
            self.execution_id,
            self.reason,
            self.exit_code,
            self.stdout[:80],
        )
