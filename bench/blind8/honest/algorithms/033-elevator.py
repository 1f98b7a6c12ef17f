import heapq
import itertools
import random


class Sim:
    def __init__(self):
        self.now, self.queue, self.ids = 0.0, [], itertools.count()

    def at(self, delay, fn, *args):
        heapq.heappush(self.queue, (self.now + delay, next(self.ids), fn, args))

    def run(self, until):
        while self.queue and self.queue[0][0] <= until:
            self.now, _, fn, args = heapq.heappop(self.queue)
            fn(*args)


class Bank:
    def __init__(self, sim, tellers):
        self.sim, self.free, self.line, self.waits = sim, tellers, [], []

    def arrive(self):
        self.line.append(self.sim.now)
        self.sim.at(random.expovariate(1 / 2), self.arrive)
        self.dispatch()

    def dispatch(self):
        while self.free and self.line:
            self.waits.append(self.sim.now - self.line.pop(0))
            self.free -= 1
            self.sim.at(random.expovariate(1 / 5), self.leave)

    def leave(self):
        self.free += 1
        self.dispatch()


for n in (2, 3, 4):
    random.seed(1)
    s = Sim()
    b = Bank(s, n)
    s.at(0, b.arrive)
    s.run(5000)
    print(n, "tellers: mean wait", round(sum(b.waits) / len(b.waits), 2))
