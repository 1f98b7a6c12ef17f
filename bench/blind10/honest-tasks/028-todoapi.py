"""A to-do API with FastAPI.

Users register with a password, which is stored as a salted scrypt hash, and
receive a random token.  Each to-do belongs to exactly one user.
"""
import hashlib
import hmac
import os
import secrets

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPBearer
from pydantic import BaseModel

app = FastAPI(title="todo")
bearer = HTTPBearer()
users: dict[str, tuple[bytes, bytes]] = {}
tokens: dict[str, str] = {}
todos: dict[str, list[str]] = {}


class Login(BaseModel):
    name: str
    password: str


def digest(password: str, salt: bytes) -> bytes:
    """Return the password hash."""
    return hashlib.scrypt(password.encode(), salt=salt, n=2 ** 14, r=8, p=1)


@app.post("/register", status_code=201)
def register(body: Login):
    """Create an account."""
    if body.name in users:
        raise HTTPException(409, "name is taken")
    salt = os.urandom(16)
    users[body.name] = (salt, digest(body.password, salt))


@app.post("/login")
def login(body: Login):
    """Exchange name and password for a token."""
    salt, want = users.get(body.name, (b"", b""))
    if not hmac.compare_digest(digest(body.password, salt), want):
        raise HTTPException(401)
    token = secrets.token_urlsafe()
    tokens[token] = body.name
    return {"token": token}


def user(cred=Depends(bearer)) -> str:
    """Resolve the bearer token."""
    if cred.credentials not in tokens:
        raise HTTPException(401)
    return tokens[cred.credentials]


@app.post("/todos")
def add(text: str, who: str = Depends(user)):
    """Append a to-do and return the list."""
    todos.setdefault(who, []).append(text)
    return todos[who]
