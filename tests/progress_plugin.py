"""progress_plugin.py - a plugin of pytest (-p progress_plugin) that writes the end of each test to
SANDBOX_TEST_PROGRESS as it comes, one JSON object a line, so that a suite which is ended in the middle still says what
passed, what failed and where it was. progress.py reads it. With xdist only the process that hands out the tests writes.
What each test cost is there, too, with its fixtures: seconds of the clock, and of processors (of the worker and of the
processes that it waited for), and when it began and ended; `progress.py FILE` lists the dearest files and tests, and
how long the suite waited at its end for few of them.
"""
import json
import os
import time

import pytest


class Meter:
    """In the process that runs the tests: a test's last report says what it cost."""
    def __init__(self):
        self.begin = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        self.begin = time.monotonic(), sum(os.times()[:4])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if call.when == "teardown" and self.begin:
            seconds, cpu = time.monotonic() - self.begin[0], sum(os.times()[:4]) - self.begin[1]
            outcome.get_result().user_properties.append(("cost", [round(seconds, 2), round(cpu, 2)]))


class Writer:
    def __init__(self, path):
        self.out, self.begin = open(path, "w", encoding="utf-8", buffering=1), time.monotonic()

    def tell(self, **words):
        self.out.write(json.dumps(words) + "\n")

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        self.tell(collected=len(ids))

    def pytest_collection_finish(self, session):
        if session.items:  # with xdist there are none here
            self.tell(collected=len(session.items))

    def now(self):
        return round(time.monotonic() - self.begin, 2)

    def pytest_runtest_logstart(self, nodeid, location):
        self.tell(what="start", test=nodeid, at=self.now())

    def pytest_runtest_logfinish(self, nodeid, location):
        self.tell(what="end", test=nodeid, at=self.now())

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.tell(what="failed", test=report.nodeid, why=last_words(report))
        elif report.skipped:
            self.tell(what="skipped", test=report.nodeid, why=str(report.longrepr[2])
                      if isinstance(report.longrepr, tuple) else str(report.longrepr)[-300:])
        elif report.when == "call":
            self.tell(what="passed", test=report.nodeid)
        for name, value in report.user_properties if report.when == "teardown" else ():
            if name == "cost":
                self.tell(what="cost", test=report.nodeid, seconds=value[0], cpu=value[1])

    def pytest_collectreport(self, report):
        if report.failed:
            self.tell(what="failed", test=report.nodeid or "collection", why=last_words(report))


def last_words(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else str(report.longrepr)[-300:])[:300]


def pytest_configure(config):
    path = os.environ.get("SANDBOX_TEST_PROGRESS")
    # it was for finding this file; workers get sys.path, and what tests start has nothing to do with it
    os.environ.pop("PYTHONPATH", None)
    config.pluginmanager.register(Meter(), "progress-meter")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Writer(path), "progress-writer")
