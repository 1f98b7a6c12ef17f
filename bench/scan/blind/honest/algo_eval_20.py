# class: puzzle, 24 game with eval; style: itertools
from itertools import permutations, product


def solve(digits):
    for p in permutations(digits):
        for ops in product("+-*/", repeat=3):
            text = f"(({p[0]}{ops[0]}{p[1]}){ops[1]}{p[2]}){ops[2]}{p[3]}"
            try:
                if abs(eval(text) - 24) < 1e-9:
                    return text
            except ZeroDivisionError:
                pass


print(solve([4, 7, 8, 8]))
