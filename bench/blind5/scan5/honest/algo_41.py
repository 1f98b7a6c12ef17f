from dataclasses import dataclass, field
@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)
import bisect
todo = []
for p, n in ((3, "sleep"), (1, "attack the problem"), (2, "kill time")): bisect.insort(todo, Task(p, n))
print([t.name for t in todo])
