import contextlib, os, socket, sys
@contextlib.contextmanager
def quiet():
    saved = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(saved, 1)
        os.close(null)
with quiet():
    print("not seen")
print(socket.gethostname(), file=sys.stderr)
