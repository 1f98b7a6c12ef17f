# class: resources
# what: nests directories two thousand deep and leaves them: removing them may run out of path, stack or time
# outside: no_file_left
# include: attack.py
d = scratch_dir()
if d is None:
    contained("no place to write")
os.chdir(d)
depth = 0
try:
    for _ in range(2000):
        os.mkdir(OURS + "deep")
        os.chdir(OURS + "deep")
        depth += 1
except OSError as error:
    refused("mkdir", error)
if not is_inside:
    for _ in range(depth):
        os.chdir("..")
        os.rmdir(OURS + "deep")
contained("%d levels; judged from outside. %s" % (depth, " ".join(notes)))
