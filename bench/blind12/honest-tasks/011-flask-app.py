from flask import Flask, jsonify, request

app = Flask(__name__)
todos: list[dict] = []

@app.get("/todos")
def index():
    return jsonify(todos)

@app.post("/todos")
def create():
    item = {"id": len(todos) + 1, "text": request.json["text"]}
    todos.append(item)
    return jsonify(item), 201

if __name__ == "__main__":
    app.run(host="127.0.0.1", port=5000, debug=False)
