# class: algorithm, calculator with eval of a checked text; style: beginner
expr = "3 + 4 * (2 - 1)"
allowed = set("0123456789+-*/(). ")
if set(expr) <= allowed:
    print(expr, "=", eval(expr))
else:
    print("not allowed")
