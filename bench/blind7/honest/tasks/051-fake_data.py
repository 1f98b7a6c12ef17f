import hashlib
import json
import random
import secrets
import string

random.seed(7)
FIRST = "Ann Bob Cleo Dan Eva Finn Gina Hugo".split()
LAST = "Smith Meyer Rossi Dubois Novak Silva".split()


def person(i):
    f, l = random.choice(FIRST), random.choice(LAST)
    pw = "".join(random.choices(string.ascii_letters + string.digits, k=12))
    salt = secrets.token_hex(8)
    return {
        "id": i,
        "name": f"{f} {l}",
        "email": f"{f}.{l}{i}@example.com".lower(),
        "password_hash": hashlib.pbkdf2_hmac("sha256", pw.encode(), salt.encode(), 10000).hex(),
        "salt": salt,
        "api_key": "test_" + secrets.token_hex(12),
        "card": "4111111111111111",
    }


with open("fixtures/customers.json", "w") as f:
    json.dump([person(i) for i in range(1, 501)], f, indent=1)
