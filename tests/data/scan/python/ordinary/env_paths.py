import os
home = os.environ.get("HOME", "/")
print(os.environ["PATH"].split(os.pathsep))
print(os.path.join(home, "data"), os.getenv("LANG"), os.environ.get("DEBUG") == "1")
if "TERM" in os.environ:
    print("terminal")
