# class: algorithm; style: event simulation of a bank queue
import heapq, random
random.seed(7)
events, t = [], 0
for i in range(200):
    t += random.expovariate(1)
    heapq.heappush(events, (t, i, "arrive"))
free, waiting, waits = 2, [], []
while events:
    now, who, what = heapq.heappop(events)
    if what == "arrive":
        waiting.append((now, who))
    else:
        free += 1
    while free and waiting:
        since, w = waiting.pop(0)
        waits.append(now - since)
        free -= 1
        heapq.heappush(events, (now + random.expovariate(0.6), w, "leave"))
print(len(waits), round(sum(waits) / len(waits), 3))
