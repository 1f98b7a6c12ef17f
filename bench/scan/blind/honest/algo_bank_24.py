# class: everyday, classes; style: tutorial
class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, password):
        self.owner, self._password, self.balance = owner, password, 0

    def withdraw(self, amount, password):
        if password != self._password:
            raise PermissionError("wrong password")
        if amount > self.balance:
            raise InsufficientFunds
        self.balance -= amount


a = Account("eve", "hunter2")
a.balance = 100
a.withdraw(30, "hunter2")
print(a.balance)
