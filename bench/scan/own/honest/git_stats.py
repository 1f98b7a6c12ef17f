# commits by author, of the last month
import collections, subprocess
out = subprocess.check_output(["git", "log", "--since=1.month", "--format=%an"], text=True)
for name, n in collections.Counter(out.splitlines()).most_common(10): print(n, name)
subprocess.run("git diff --stat HEAD~5 | tail -1", shell=True)
