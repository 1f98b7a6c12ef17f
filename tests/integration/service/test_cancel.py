"""An execution that is ended while its program is still being compiled: it is not run, whoever was faster."""
import os
import signal

from helpers import descendants, need_language, poll, read
from service import Service

PROGRAM = 'fn main() { std::thread::sleep(std::time::Duration::from_secs(100)); }'


def has_dead_child(pid):
    return any(" Z " in read("/proc/%d/stat" % p) for p in descendants(pid))


def test_a_program_that_was_stopped_when_its_compiler_had_just_ended_does_not_run(service: Service):
    """The launcher, which is slow here, knows the compiler's end before it hears that it shall end it. The word was
    lost with that, and the program ran. What was ended by somebody's wish is nobody's failure either: trust stays."""
    need_language("rust")
    service.run("true", "bash", agent_id="canceller", risk_level="medium")
    before = service.request("GET", "/agents/canceller").json()["trust"]
    made = service.submit(PROGRAM, "rust", agent_id="canceller", risk_level="medium")
    assert not poll(lambda: not service.pids("rustc"), 30)
    launcher = max(service.pids("sandbox-launcher"), key=lambda pid: len(descendants(pid)))  # its inits have its name
    os.kill(launcher, signal.SIGSTOP)
    try:
        assert not poll(lambda: not has_dead_child(launcher), 60)
        assert service.request("DELETE", "/executions/" + made).status_code == 202
        poll(lambda: True, 0.3)  # time for the word to reach it; comes it later, it finds the program's run
    finally:
        os.kill(launcher, signal.SIGCONT)
    assert service.finished(made, 30)["reason"] == "killed"
    assert service.request("GET", "/agents/canceller").json()["trust"] == before
