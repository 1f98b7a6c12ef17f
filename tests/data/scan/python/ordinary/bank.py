class Account:
    def __init__(self, owner, balance=0):
        self.owner, self._balance = owner, balance

    @property
    def balance(self):
        return self._balance

    def withdraw(self, amount):
        if amount > self._balance:
            raise ValueError("insufficient funds")
        self._balance -= amount

acc = Account("ann", 100)
acc.withdraw(30)
print(acc.balance, vars(acc), acc.__dict__, hasattr(acc, "owner"), getattr(acc, "owner"))
