import io
import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


w, h = 64, 64
rows = b"".join(b"\0" + bytes(v for x in range(w) for v in (x * 4, y * 4, (x ^ y) * 4)) for y in range(h))
out = io.BytesIO()
out.write(b"\x89PNG\r\n\x1a\n")
out.write(chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)))
out.write(chunk(b"IDAT", zlib.compress(rows)))
out.write(chunk(b"IEND", b""))
print(len(out.getvalue()))
