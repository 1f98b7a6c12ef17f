# class: data work; possible: low medium high
import json, os, tempfile
d = tempfile.mkdtemp()
for i in range(80):
    with open(os.path.join(d, "%d.json" % i), "w") as f: json.dump({"i": i, "sq": i * i}, f)
print(sum(json.load(open(os.path.join(d, n)))["sq"] for n in os.listdir(d)))
