import math

G, L = 9.81, 1.0


def f(state):
    th, om = state
    return om, -G / L * math.sin(th)


def add(s, k, h):
    return tuple(x + h * y for x, y in zip(s, k))


def rk4(s, h):
    k1 = f(s)
    k2 = f(add(s, k1, h / 2))
    k3 = f(add(s, k2, h / 2))
    k4 = f(add(s, k3, h))
    return tuple(x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(s, k1, k2, k3, k4))


def energy(s):
    return 0.5 * L ** 2 * s[1] ** 2 + G * L * (1 - math.cos(s[0]))


s, h = (math.radians(60), 0.0), 0.01
e0 = energy(s)
for n in range(1, 1001):
    s = rk4(s, h)
    if n % 100 == 0:
        bar = int(30 + 25 * math.sin(s[0]))
        print(f"{n * h:5.1f}s {math.degrees(s[0]):7.2f} " + " " * bar + "o")
print("energy drift", abs(energy(s) - e0))
