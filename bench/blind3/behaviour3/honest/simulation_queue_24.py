# class: simulation; possible: low medium high; style: events on a heap, no network
import heapq
import random
import statistics

random.seed(11)


def run(servers, arrival, service, customers=20000):
    events, free, waiting, waits, now = [(0.0, 0, "arrive")], servers, [], [], 0.0
    count = 1
    while events:
        now, ident, kind = heapq.heappop(events)
        if kind == "arrive":
            waiting.append((now, ident))
            if count < customers:
                heapq.heappush(events, (now + random.expovariate(arrival), count, "arrive"))
                count += 1
        else:
            free += 1
        while free and waiting:
            since, who = waiting.pop(0)
            waits.append(now - since)
            free -= 1
            heapq.heappush(events, (now + random.expovariate(service), who, "leave"))
    return statistics.mean(waits), max(waits)


for servers in (3, 4, 5, 8):
    print(servers, *("%.3f" % v for v in run(servers, 2.5, 1.0)))
