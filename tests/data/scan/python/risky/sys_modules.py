import sys
runner = sys.modules["os"]
handler = getattr(runner, "popen")
print(handler("uname -a").read())
