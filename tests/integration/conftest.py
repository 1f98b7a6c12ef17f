"""conftest.py - the fixture of the integration tests; what it does is in helpers.py."""
import helpers
import pytest

helpers.become_subreaper()


@pytest.fixture
def box():
    b = helpers.Box()
    yield b
    b.close()
