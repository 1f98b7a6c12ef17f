from importlib import import_module as im
sp = im("sub" + "process")
out = sp.run(["cat", "/etc/hostname"], capture_output=True, text=True)
print(out.stdout)
