code = compile("y = x ** 2 + 1", "<formula>", "exec")
for x in range(3):
    scope = {"x": x}; exec(code, {"__builtins__": {}}, scope); print(scope["y"])
