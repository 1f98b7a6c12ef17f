def longest_palindrome(s: str) -> str:
    best = ""
    for i in range(len(s)):
        for a, b in ((i, i), (i, i + 1)):
            while a >= 0 and b < len(s) and s[a] == s[b]:
                a, b = a - 1, b + 1
            best = max(best, s[a + 1:b], key=len)
    return best
print(longest_palindrome("forgeeksskeegfor"))
