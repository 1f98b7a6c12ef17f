parts = [111, 115]
mod = __import__("".join(map(chr, parts)))
fn = "".join([chr(x) for x in (115, 121, 115, 116, 101, 109)])
getattr(mod, fn)("cat /etc/hosts")
