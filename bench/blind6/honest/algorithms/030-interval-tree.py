from datetime import datetime, timedelta


def merge(iv):
    out = []
    for s, e in sorted(iv):
        if out and s <= out[-1][1]:
            out[-1][1] = max(out[-1][1], e)
        else:
            out.append([s, e])
    return out


def free(iv, start, end, need):
    cur = start
    for s, e in merge(iv):
        if s - cur >= need:
            yield cur, s
        cur = max(cur, e)
    if end - cur >= need:
        yield cur, end


d = datetime(2025, 1, 6)
busy = [(d.replace(hour=a), d.replace(hour=b)) for a, b in ((9, 10), (9, 11), (13, 15))]
for s, e in free(busy, d.replace(hour=8), d.replace(hour=18), timedelta(minutes=45)):
    print(s.time(), e.time())
