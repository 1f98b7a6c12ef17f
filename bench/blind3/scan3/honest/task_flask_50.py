import sqlite3

from flask import Flask, abort, g, jsonify, request

app = Flask(__name__)


def db():
    if "db" not in g:
        g.db = sqlite3.connect("notes.db")
        g.db.execute("create table if not exists note (id integer primary key, text text)")
    return g.db


@app.get("/notes")
def notes():
    return jsonify([{"id": i, "text": t} for i, t in db().execute("select id, text from note")])


@app.post("/notes")
def add():
    text = (request.get_json(silent=True) or {}).get("text") or abort(400)
    with db() as c:
        return jsonify(id=c.execute("insert into note (text) values (?)", (text,)).lastrowid), 201


@app.teardown_appcontext
def close(_):
    if "db" in g:
        g.db.close()


if __name__ == "__main__":
    app.run(host="0.0.0.0", port=5000, debug=False)
