import collections


def round_robin(jobs, quantum):
    queue, now, done = collections.deque(jobs.items()), 0, {}
    while queue:
        name, left = queue.popleft()
        used = min(quantum, left)
        now += used
        if left > used:
            queue.append((name, left - used))
        else:
            done[name] = now
    return done


print(round_robin({"init": 5, "shell": 3, "daemon": 9, "kill": 1}, 2))
