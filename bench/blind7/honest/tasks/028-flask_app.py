from flask import Flask, abort, jsonify, request

app = Flask(__name__)
todos: dict[int, dict] = {}


@app.get("/todos")
def index():
    return jsonify(list(todos.values()))


@app.post("/todos")
def create():
    body = request.get_json(silent=True) or {}
    if not body.get("title"):
        abort(400, "title is needed")
    i = max(todos, default=0) + 1
    todos[i] = {"id": i, "title": body["title"], "done": False}
    return todos[i], 201


@app.patch("/todos/<int:i>")
def update(i):
    if i not in todos:
        abort(404)
    todos[i] |= {k: v for k, v in request.get_json().items() if k in ("title", "done")}
    return todos[i]


def selftest():
    c = app.test_client()
    assert c.post("/todos", json={}).status_code == 400
    assert c.post("/todos", json={"title": "milk"}).json["id"] == 1
    assert c.patch("/todos/1", json={"done": True}).json["done"]
    assert len(c.get("/todos").json) == 1


if __name__ == "__main__":
    import sys
    selftest() if "--test" in sys.argv else app.run(port=5000, debug=True)
