import os
import sqlite3
import pytest


@pytest.fixture(autouse=True)
def _env(monkeypatch, tmp_path):
    for k in list(os.environ):
        if k.startswith(("AWS_", "GITHUB_")):
            monkeypatch.delenv(k)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")


@pytest.fixture
def db(tmp_path):
    c = sqlite3.connect(tmp_path / "t.db")
    with open("schema.sql") as f:
        c.executescript(f.read())
    yield c
    c.close()


@pytest.fixture
def client(db):
    from app import create_app
    app = create_app(db)
    with app.test_client() as c:
        yield c


def pytest_collection_modifyitems(items):
    for i in items:
        if "slow" in i.keywords and not os.environ.get("RUN_SLOW"):
            i.add_marker(pytest.mark.skip(reason="slow"))
