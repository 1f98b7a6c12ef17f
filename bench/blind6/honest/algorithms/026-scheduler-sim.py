from collections import deque


class Proc:
    def __init__(self, pid, need):
        self.pid, self.need = pid, need


class Sched:
    def __init__(self, q=2):
        self.q, self.ready, self.next, self.log = q, deque(), 1, []

    def fork(self, need):
        self.ready.append(Proc(self.next, need))
        self.next += 1

    def kill(self, pid):
        self.ready = deque(p for p in self.ready if p.pid != pid)

    def run(self):
        while self.ready:
            p = self.ready.popleft()
            use = min(self.q, p.need)
            p.need -= use
            self.log.append((p.pid, use))
            if p.need:
                self.ready.append(p)
        return self.log


s = Sched()
for n in (3, 5, 2):
    s.fork(n)
s.kill(2)
print(s.run())
