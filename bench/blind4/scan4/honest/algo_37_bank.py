# account model with simple rules and exceptions
from decimal import Decimal


class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, balance="0"):
        self.owner = owner
        self._balance = Decimal(balance)
        self.history = []

    def deposit(self, amount):
        self._balance += Decimal(amount)
        self.history.append(("in", amount))

    def withdraw(self, amount):
        if Decimal(amount) > self._balance:
            raise InsufficientFunds(f"{self.owner} has only {self._balance}")
        self._balance -= Decimal(amount)
        self.history.append(("out", amount))

    def clear_history(self):
        self.history.clear()


a = Account("mary", "10.00")
a.deposit("5.50")
try:
    a.withdraw("100")
except InsufficientFunds as e:
    print(e)
