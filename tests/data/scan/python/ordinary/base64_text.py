import base64
data = "hello world".encode()
enc = base64.b64encode(data).decode("ascii")
print(enc, base64.b64decode(enc).decode())
assert base64.urlsafe_b64decode(base64.urlsafe_b64encode(data)) == data
