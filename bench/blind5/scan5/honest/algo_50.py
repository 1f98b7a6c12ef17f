import secrets, string
def password(n=16): return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(n))
def strength(p): return sum(any(c in g for c in p) for g in (string.ascii_lowercase, string.ascii_uppercase, string.digits))
print(len(password()), strength("Abc123"))
