import os
total = 0
for name in sorted(os.listdir(".")):
    if os.path.isfile(name):
        size = os.path.getsize(name)
        total += size
        print(f"{size:>10} {name}")
print(total, os.getcwd())
