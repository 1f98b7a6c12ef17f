"""monitoring.logging.output: journald and syslog, both of its forms, as sockets of this test's own."""
import os
import re
import socket

import helpers
import pytest
from service import Service


def collector(path):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    s.bind(str(path))
    os.chmod(path, 0o777)
    s.settimeout(60)
    return s


@pytest.fixture(scope="module")
def world():
    with Service(start=False) as s:
        places = ["%s:%s/%s" % (kind, s.dir, name)
                  for kind, name in (("journald", "j"), ("syslog", "s"), ("syslog-rfc5424", "r"))]
        s.configure({"monitoring": {"logging": {"output": ["stderr", *places]}}})
        s.journal, s.syslog, s.newer = (collector(s.dir / name) for name in "jsr")
        with s.journal, s.syslog, s.newer:
            yield s.start()


def until(sock, wanted):
    """The first datagram that has it; a collector that gets nothing more ends the test by its own timeout."""
    while True:
        text = sock.recv(2**18).decode()
        if wanted in text:
            return text


def dropped(s):
    text = s.outside("GET", "/metrics").text
    return int(re.search(r"^sandbox_agent_log_lines_dropped_total (\d+)$", text, re.M).group(1))


def test_events_of_a_run_and_the_services_words_arrive_in_both(world):
    result = world.run("print(1)", agent_id="a-1")
    fields = dict(line.split("=", 1) for line in until(world.journal, "execution_completed").splitlines())
    assert fields["AGENTSANDBOX_AGENT"] == "a-1" and fields["AGENTSANDBOX_EVENT"] == "execution_completed"
    assert fields["AGENTSANDBOX_EXECUTION"] == result["execution_id"] and fields["PRIORITY"] == "6"
    assert fields["MESSAGE"].startswith("execution_completed agent a-1 ")
    line = until(world.syslog, "execution_completed")
    assert re.match(r"<30>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d sandboxd\[%d\]: execution_completed agent a-1 " %
                    int(fields["SYSLOG_PID"]), line), line
    line = until(world.newer, "execution_completed")
    assert re.match(r"<30>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z %s sandboxd %s execution_completed "
                    r'\[agentsandbox@32473 event="execution_completed" agent="a-1" execution="%s"\] '
                    r"execution_completed agent a-1 " % (
                        re.escape(socket.gethostname()), fields["SYSLOG_PID"], result["execution_id"]), line), line
    world.hup()
    assert "PRIORITY=6" in until(world.journal, "loaded anew")
    assert dropped(world) == 0 and "takes no lines" not in world.logs


def test_collectors_that_are_gone_cost_lines_and_nothing_else(world):
    for name in ("j", "s", "r"):
        (world.dir / name).unlink()
    world.run("print(1)", agent_id="a-1")
    assert not helpers.poll(lambda: dropped(world) < 6)  # two events, three collectors
    assert len(re.findall("takes no lines", world.logs)) == 3  # each once
    world.journal.close()
    world.journal = collector(world.dir / "j")
    world.run("print(1)", agent_id="a-2")
    assert "a-2" in until(world.journal, "execution_completed")
