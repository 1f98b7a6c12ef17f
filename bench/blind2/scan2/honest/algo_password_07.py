# class: algorithm, strength of a password; style: LeetCode
import re

class Solution:
    def strongPasswordChecker(self, password: str) -> int:
        missing = 3 - sum(bool(re.search(p, password)) for p in (r"[a-z]", r"[A-Z]", r"\d"))
        n = len(password)
        runs = [len(m.group()) for m in re.finditer(r"(.)\1\1+", password)]
        change = sum(r // 3 for r in runs)
        if n < 6:
            return max(missing, 6 - n)
        if n <= 20:
            return max(missing, change)
        return n - 20 + max(missing, 0)

print(Solution().strongPasswordChecker("a"), Solution().strongPasswordChecker("1337C0d3"))
