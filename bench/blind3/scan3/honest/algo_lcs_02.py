from functools import lru_cache


def lcs(a: str, b: str) -> str:
    @lru_cache(None)
    def go(i, j):
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + go(i + 1, j + 1)
        return max(go(i + 1, j), go(i, j + 1), key=len)

    return go(0, 0)


assert lcs("AGGTAB", "GXTXAYB") == "GTAB"
