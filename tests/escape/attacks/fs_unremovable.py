# class: filesystem
# what: leaves a tree hard to remove: mode 0 directories, 500 levels, names of 255 bytes, locked files, immutable flags
# outside: no_file_left
# include: attack.py
import fcntl

d = scratch_dir()
if d is None:
    contained("no place to write")
made = 0
top = d + "/" + OURS + "tree"
os.mkdir(top)
os.chdir(top)
try:
    for level in range(500):
        os.mkdir("d")
        os.chdir("d")
        made += 1
    for i in range(20):
        open("x" * 250 + str(i), "w").close()
        made += 1
except OSError as error:
    refused("deep", error)
os.chdir(top)
try:
    f = open("immutable", "w")
    fcntl.ioctl(f.fileno(), 0x40086602, b"\x10\0\0\0\0\0\0\0")  # FS_IOC_SETFLAGS, FS_IMMUTABLE_FL
except OSError as error:
    refused("immutable", error)
try:
    fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError as error:
    refused("flock", error)
if is_inside:
    for path in ("d", top):
        os.chmod(path, 0)
else:
    try:
        fcntl.ioctl(f.fileno(), 0x40086602, b"\0\0\0\0\0\0\0\0")
    except OSError:
        pass
    import shutil
    shutil.rmtree(top, ignore_errors=True)
contained("%d levels; judged from outside. %s" % (made, " ".join(notes)))
