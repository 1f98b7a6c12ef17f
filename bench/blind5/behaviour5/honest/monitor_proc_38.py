# class: monitoring; possible: low medium
import glob, os, time
def procs():
    for d in glob.glob("/proc/[0-9]*"):
        try:
            stat = open(d + "/stat").read().rsplit(")", 1); cmd = open(d + "/cmdline", "rb").read().replace(b"\0", b" ").decode()
            io_ = open(d + "/status").read(); f = stat[1].split()
            yield int(d[6:]), stat[0].split("(")[1], f[0], int(f[11]) + int(f[12]), cmd
            os.listdir(d + "/fd")
        except (OSError, IndexError): pass
for _ in range(6):
    print(len(list(procs())), open("/proc/loadavg").read().split()[0], open("/proc/meminfo").readline().strip()); time.sleep(1)
