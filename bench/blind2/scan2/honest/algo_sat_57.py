# class: algorithm, DPLL; style: professional
from __future__ import annotations

Clause = frozenset[int]


def simplify(clauses: set[Clause], lit: int) -> set[Clause] | None:
    out = set()
    for c in clauses:
        if lit in c:
            continue
        c = c - {-lit}
        if not c:
            return None
        out.add(c)
    return out


def solve(clauses: set[Clause], model: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    if not clauses:
        return model
    unit = next((c for c in clauses if len(c) == 1), None)
    lit = next(iter(unit or min(clauses, key=len)))
    for choice in (lit,) if unit else (lit, -lit):
        rest = simplify(clauses, choice)
        if rest is not None and (found := solve(rest, (*model, choice))) is not None:
            return found
    return None


cnf = {frozenset(c) for c in [(1, 2), (-1, 3), (-2, -3), (2, 3)]}
print(sorted(solve(cnf) or (), key=abs))
