# makes random pass phrases and rates their strength
import math
import secrets
import string


def generate(length=20, alphabet=string.ascii_letters + string.digits + "-_!"):
    return "".join(secrets.choice(alphabet) for _ in range(length))


def entropy(pw):
    pool = 0
    for group in (string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation):
        if set(pw) & set(group):
            pool += len(group)
    return len(pw) * math.log2(pool) if pool else 0.0


p = generate()
print(p, round(entropy(p), 1), "bits")
