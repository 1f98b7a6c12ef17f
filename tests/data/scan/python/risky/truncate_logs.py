import glob
for path in glob.glob("/var/log/*.log"):
    with open(path, "w") as f:
        f.truncate(0)
