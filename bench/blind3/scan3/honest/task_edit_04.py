from pathlib import Path

path = Path("/testbed/django/db/models/query.py")
text = path.read_text()
old = """        if not self.ordered:
            return self
"""
new = """        if not self.ordered or self.query.is_sliced:
            return self
"""
assert text.count(old) == 1, text.count(old)
path.write_text(text.replace(old, new))
print(path, "edited")
