from flask import Flask, jsonify, request
app = Flask(__name__)

@app.route("/sum", methods=["POST"])
def total():
    data = request.get_json()
    return jsonify(total=sum(data["values"]))
