import math
import random

random.seed(11)
CITIES = [(random.random(), random.random()) for _ in range(30)]


def length(t):
    return sum(math.dist(CITIES[a], CITIES[b]) for a, b in zip(t, t[1:] + t[:1]))


def cross(a, b):
    i, j = sorted(random.sample(range(len(a)), 2))
    mid = a[i:j]
    rest = [c for c in b if c not in mid]
    return rest[:i] + mid + rest[i:]


def mutate(t):
    i, j = sorted(random.sample(range(len(t)), 2))
    t[i:j] = reversed(t[i:j])
    return t


pop = [random.sample(range(30), 30) for _ in range(150)]
for gen in range(300):
    pop.sort(key=length)
    elite = pop[:30]
    pop = elite + [mutate(cross(*random.sample(elite, 2))) for _ in range(120)]
print(round(length(min(pop, key=length)), 3))
