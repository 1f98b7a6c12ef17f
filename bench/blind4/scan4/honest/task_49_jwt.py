# issues and checks a token for the tests
import datetime as dt
import os
import jwt

KEY = os.environ.get("JWT_SECRET", "test-only")


def issue(user):
    now = dt.datetime.now(dt.timezone.utc)
    return jwt.encode({"sub": user, "iat": now, "exp": now + dt.timedelta(minutes=15)}, KEY, "HS256")


def check(tok):
    try:
        return jwt.decode(tok, KEY, algorithms=["HS256"])["sub"]
    except jwt.ExpiredSignatureError:
        return None


assert check(issue("anna")) == "anna"
