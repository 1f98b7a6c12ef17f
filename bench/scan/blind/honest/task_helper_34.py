# class: agent's helper module, written and imported; style: sloppy
open("helpers.py", "w").write("""
import json
def load(p):
    with open(p) as f: return json.load(f)
def save(p, d):
    with open(p, 'w') as f: json.dump(d, f, indent=2)
""")
import helpers
helpers.save("a.json", {"x": 1})
print(helpers.load("a.json"))
