def read_chunks(path, size=1024):
    with open(path, "rb") as f:
        while True:
            chunk = f.read(size)
            if not chunk:
                return
            yield chunk

def running(values):
    total = 0
    for v in values:
        total += v
        yield total

print(list(running(range(5))))
