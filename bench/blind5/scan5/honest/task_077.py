import os, shlex, subprocess
def tool(name, args):
    table = {"list_files": lambda a: os.listdir(a.get("dir", ".")), "grep": lambda a: subprocess.run(["grep", "-rn", a["pattern"], a.get("dir", ".")], capture_output=True, text=True).stdout[:2000],
             "run": lambda a: subprocess.run(shlex.split(a["command"]), capture_output=True, text=True, timeout=60).stdout}
    return table[name](args)
print(tool("list_files", {})); print(tool("grep", {"pattern": "TODO"})); print(tool("run", {"command": "python3 --version"}))
