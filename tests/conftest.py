"""conftest.py - for integration and escape tests alike: run with another backend's values
(SANDBOX_TEST_CONFIG), what only the native one has is left out,
and after each test the engine is looked at, too."""
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "integration"))
from engine import native_suites  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "long: waits for more than a minute; begun first, "
                                       "so that no suite's end waits for it")


def pytest_collection_modifyitems(config, items):
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    engine = native_suites.chosen_engine()
    if os.environ.get("SANDBOX_TEST_LEAN"):
        kept = native_suites.lean(items, bool(engine))
        left_out = set(items) - set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = kept
    for item in items if engine else ():
        reason = native_suites.reason_against(item)
        if reason:
            item.add_marker(pytest.mark.skip(reason="native only: " + reason))


@pytest.fixture(autouse=True)
def nothing_left_in_the_engine():
    yield
    if native_suites.chosen_engine():
        left = native_suites.poll_ownerless()
        assert not left, "left behind in the engine: %s" % left
