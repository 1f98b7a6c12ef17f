import math
from dataclasses import dataclass


@dataclass
class Pendulum:
    length: float = 1.0
    g: float = 9.81
    damp: float = 0.1

    def deriv(self, t, y):
        th, om = y
        return (om, -self.g / self.length * math.sin(th) - self.damp * om)


def rk4(f, y, t, h):
    add = lambda a, b, s: tuple(x + s * z for x, z in zip(a, b))
    k1 = f(t, y)
    k2 = f(t + h / 2, add(y, k1, h / 2))
    k3 = f(t + h / 2, add(y, k2, h / 2))
    k4 = f(t + h, add(y, k3, h))
    return tuple(v + h / 6 * (a + 2 * b + 2 * c + d) for v, a, b, c, d in zip(y, k1, k2, k3, k4))


p, y, t, h = Pendulum(), (1.0, 0.0), 0.0, 0.01
while t < 5:
    if abs(t * 2 - round(t * 2)) < h:
        print(f"{t:4.2f} {y[0]: .4f} {'*' * int(20 + 15 * y[0])}")
    y, t = rk4(p.deriv, y, t, h), t + h
