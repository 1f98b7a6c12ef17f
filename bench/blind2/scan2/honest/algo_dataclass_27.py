# class: algorithm, ledger with tokens and secrets in names only; style: tidy
from dataclasses import dataclass, field
import hmac
import secrets


@dataclass
class Account:
    owner: str
    balance: int = 0
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16), repr=False)

    def sign(self, message: bytes) -> str:
        return hmac.new(self.secret, message, "sha256").hexdigest()

    def verify(self, message: bytes, token: str) -> bool:
        return hmac.compare_digest(self.sign(message), token)


a = Account("ann", 10)
token = a.sign(b"pay bob 5")
print(a, a.verify(b"pay bob 5", token), a.verify(b"pay eve 5", token))
