# class: algorithm, compression compared; style: terse
import zlib, bz2, lzma, base64, random
random.seed(0)
text = b" ".join(random.choice([b"the", b"cat", b"sat", b"on", b"mat"]) for _ in range(4000))
for m in (zlib, bz2, lzma):
    c = m.compress(text)
    assert m.decompress(c) == text
    print(m.__name__, len(text), len(c), base64.b64encode(c)[:16].decode())
