import pexpect

child = pexpect.spawn("python3 -i -q", encoding="utf-8", timeout=10)
child.expect(">>> ")
for line in ("x = [1, 2, 3]", "sum(x)", "import this"):
    child.sendline(line)
    child.expect(">>> ")
    print(child.before.strip()[-200:])
child.sendeof()
child.wait()
