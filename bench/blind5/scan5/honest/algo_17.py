import base64, zlib
text = "to be or not to be " * 20
packed = base64.b85encode(zlib.compress(text.encode()))
assert zlib.decompress(base64.b85decode(packed)).decode() == text
print(len(text), len(packed))
