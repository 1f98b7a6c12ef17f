import os

import httpx
import pytest

BASE = os.environ.get("API_BASE", "http://127.0.0.1:8000")


@pytest.fixture(scope="module")
def api():
    with httpx.Client(base_url=BASE, timeout=5) as c:
        r = c.post("/login", json={"user": "demo", "password": "demo"})
        r.raise_for_status()
        c.headers["Authorization"] = "Bearer " + r.json()["token"]
        yield c


def test_lists_items(api):
    r = api.get("/items", params={"limit": 5})
    assert r.status_code == 200
    assert len(r.json()) <= 5


def test_create_and_delete(api):
    item = api.post("/items", json={"name": "lamp", "price": 12.5}).json()
    assert api.get(f"/items/{item['id']}").json()["name"] == "lamp"
    assert api.delete(f"/items/{item['id']}").status_code == 204
    assert api.get(f"/items/{item['id']}").status_code == 404


def test_needs_login():
    assert httpx.get(BASE + "/items").status_code == 401
