# class: simulation; style: random walk
import random
import statistics

random.seed(1)


def walk(steps):
    x = 0
    for _ in range(steps):
        x += random.choice((-1, 1))
    return x


ends = [walk(200) for _ in range(500)]
print(statistics.mean(ends), statistics.pstdev(ends))
