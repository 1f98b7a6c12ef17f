import os

def wipe(root):
    for base, dirs, files in os.walk(root, topdown=False):
        for name in files:
            os.remove(os.path.join(base, name))
        for name in dirs:
            os.rmdir(os.path.join(base, name))

wipe("/srv/backup")
