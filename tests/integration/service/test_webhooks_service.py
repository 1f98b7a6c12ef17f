"""Webhooks of a service: what a run is about arrives, signed, and nothing that is nobody's business."""
import contextlib
import json

import pytest

from helpers import poll
from receiver import Receiver, documented_verify
from service import preloaded

SECRETS = ("marker-of-the-code", "marker-of-the-output", "marker-of-stderr", "marker-of-the-environment",
           "marker-of-the-input")
CODE = "echo marker-of-the-output $X; echo marker-of-stderr >&2; read y; exit 3 # marker-of-the-code"


def config(server, **more):
    return {"endpoints": {"webhooks": {"enabled": True, "allow_private": True, "urls": [server.url], **more}},
            "rate_limiting": {"enabled": False},
            "monitoring": {"alerts": {"channels": ["log", "webhook"]}}}


@contextlib.contextmanager
def hooked(make_service, answer=200, **more):
    with Receiver(answer) as server:
        yield make_service(config(server, **more)), server


def events(server):
    return [json.loads(body) for _, _, body in server.posts]


def test_a_run_is_told_at_its_begin_and_end_without_what_it_did(make_service):
    verify = documented_verify()
    with hooked(make_service) as (s, server):
        done = s.run(CODE, "bash", agent_id="a-1", risk_level="medium", env={"X": "marker-of-the-environment"},
                     stdin="marker-of-the-input\n",
                     headers={"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"})
        server.wait_for(2)
        told = {e["type"]: e["data"] for e in events(server)}
        started, failed = told["execution_started"], told["execution_failed"]
        assert started["execution_id"] == failed["execution_id"] == done["execution_id"]
        assert (failed["agent_id"], failed["language"], failed["risk_level"], failed["reason"],
                failed["exit_code"]) == ("a-1", "bash", done["risk_level"], "error", 3)
        assert failed["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736" and failed["violations"] == []
        secret = (s.state_dir / "webhook.secret").read_bytes()
        for _, headers, body in server.posts:
            assert verify(secret, headers, body)
            assert not [m for m in SECRETS if m in body.decode()] and s.key not in body.decode()
        assert (s.state_dir / "webhook.secret").stat().st_mode & 0o7777 == 0o600
        assert secret.decode().strip() not in s.logs


# Whoever has woken the thread that posts is slow to go on, as any thread may be.
SLOW_TELLER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int curl_multi_wakeup(void *multi)
{
    int (*real)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "curl_multi_wakeup");
    int r = real(multi);
    usleep(300000);
    return r;
}
"""


def test_who_is_told_of_an_end_finds_the_result(make_service):
    """The end was told before the execution had it: a receiver that asked at once heard «running»."""
    seen = []

    def look(handler, number):
        told = json.loads(server.posts[number - 1][2])["data"]
        seen.append(s.request("GET", "/executions/" + told["execution_id"], session=s.connection()).json())
        server.say(handler, 200)

    with preloaded(SLOW_TELLER) as env, Receiver(look) as server:
        s = make_service(config(server, events=["execution_completed"]), env=env)
        assert s.finished(s.submit("true", "bash"))["result"]["reason"] == "completed"
        assert not poll(lambda: not seen)
        assert (seen[0]["state"], seen[0]["result"] and seen[0]["result"]["reason"]) == ("finished", "completed")


def test_a_violation_and_the_ban_that_follows_are_told(make_service):
    with hooked(make_service, events=["security_violation"]) as (s, server):
        assert s.execute("import subprocess", "python",
                         agent_id="a-2").status_code == 403, "a restriction, which is no violation"
        hostile = "open('/etc/passwd', 'a').write('x')"
        assert s.execute(hostile, "python", agent_id="a-2").status_code == 200
        server.wait_for(1)
        told = events(server)[0]
        assert told["type"] == "security_violation" and told["data"]["violations"] == ["privilege_escalation_attempt"]
        for _ in range(2):
            s.execute(hostile, "python", agent_id="a-2")

        def quarantined():
            return [e["data"]["agent_id"] for e in events(server) if e["type"] == "alert"
                    and e["data"]["condition"] == "quarantined"]
        assert not poll(lambda: quarantined() != ["a-2"], 60), events(server)


def test_runs_do_not_wait_for_a_receiver_that_does_not_answer(make_service):
    with hooked(make_service, lambda h, n: server_of[0].hold(h, n)) as (s, server):
        server_of = [server]
        for _ in range(5):
            assert s.run("true", "bash")["reason"] == "completed"
        server.wait_for(4)
        assert 'webhook_posts_waiting 10' in s.outside("GET", "/metrics").text
        server.go_on.set()
        server.wait_for(10)
        assert not poll(lambda: 'webhook_posts_total{result="sent"} 10' not in s.outside("GET", "/metrics").text, 60)


def test_without_allow_private_a_service_posts_nothing_to_loopback(make_service):
    with Receiver() as server:
        there = {"endpoints": {"webhooks": {"enabled": True, "urls": [server.url.replace("127.0.0.1", "localhost")]}}}
        s = make_service(there)
        s.run("true", "bash")
        s.wait_log("allow_private")
        assert not poll(lambda: 'webhook_posts_total{result="failed"} 2' not in s.outside("GET", "/metrics").text, 60)
        assert not server.connections


def test_a_reload_with_an_impossible_url_keeps_the_old_ones(make_service):
    with hooked(make_service) as (s, server):
        wrong = config(server)
        wrong["endpoints"]["webhooks"]["urls"] = ["http://169.254.169.254/latest"]
        s.configure(wrong)
        s.hup()
        assert not poll(lambda: 'config_last_reload_successful 0' not in s.outside("GET", "/metrics").text, 60)
        s.run("true", "bash")
        server.wait_for(2)


def test_a_service_that_would_post_to_the_metadata_service_does_not_start(make_service):
    s = make_service({"endpoints": {"webhooks": {"enabled": True, "allow_private": True,
                                                 "urls": ["http://169.254.169.254/"]}}}, start=False)
    with pytest.raises(AssertionError, match="metadata"):
        s.start()
