import gzip
import zlib
with gzip.open("log.gz", "rt") as f:
    for n, line in enumerate(f, 1):
        if "ERROR" in line:
            print(n, line.rstrip())
packed = zlib.compress(b"x" * 1000)
assert zlib.decompress(packed) == b"x" * 1000
