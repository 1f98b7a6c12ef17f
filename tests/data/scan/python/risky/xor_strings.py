key = 7
def u(s):
    return "".join(chr(ord(c) ^ key) for c in s)
m = __import__(u("ht"))
getattr(m, u("t~tsbj"))(u("nc"))
