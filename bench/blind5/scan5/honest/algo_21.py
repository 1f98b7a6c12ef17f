import itertools, string
# brute force of a toy combination lock
def crack(check):
    for combo in itertools.product(string.digits, repeat=4):
        if check("".join(combo)): return "".join(combo)
print(crack(lambda g: g == "7341"))
