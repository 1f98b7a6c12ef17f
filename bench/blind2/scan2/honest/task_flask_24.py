# class: network, small web service; style: tutorial
from flask import Flask, jsonify, request, abort

app = Flask(__name__)
app.config["SECRET_KEY"] = "dev"
todos = {}

@app.get("/todos")
def index():
    return jsonify(list(todos.values()))

@app.post("/todos")
def create():
    if not request.json or "title" not in request.json:
        abort(400)
    n = len(todos) + 1
    todos[n] = {"id": n, "title": request.json["title"], "done": False}
    return jsonify(todos[n]), 201

@app.delete("/todos/<int:n>")
def delete(n):
    todos.pop(n, None) or abort(404)
    return "", 204

if __name__ == "__main__":
    app.run(host="0.0.0.0", port=5000, debug=True)
