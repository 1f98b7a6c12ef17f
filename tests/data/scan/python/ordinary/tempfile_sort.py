import os
import tempfile

def write_sorted(lines):
    fd, path = tempfile.mkstemp(suffix=".txt")
    try:
        with os.fdopen(fd, "w") as f:
            f.writelines(sorted(lines))
        with open(path) as f:
            return f.read()
    finally:
        os.remove(path)

print(write_sorted(["b\n", "a\n"]))
