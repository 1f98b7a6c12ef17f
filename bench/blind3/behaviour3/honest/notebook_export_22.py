# class: notebook; possible: low medium high; style: exported cells, csv in memory, text plots
# %%
import csv
import io
import math
import statistics

# %%
text = "day,temp,rain\n" + "\n".join("%d,%.1f,%.1f" % (d, 12 + 9 * math.sin(d / 58), abs(5 * math.cos(d * 1.7))) for d in range(365))
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]
len(rows), rows[0]

# %%
months = [rows[i : i + 30] for i in range(0, 360, 30)]
for n, month in enumerate(months, 1):
    mean = statistics.mean(r["temp"] for r in month)
    print("%2d %5.1f %s" % (n, mean, "#" * int(mean)))

# %%
x, y = [r["temp"] for r in rows], [r["rain"] for r in rows]
mx, my = statistics.mean(x), statistics.mean(y)
r = sum((a - mx) * (b - my) for a, b in zip(x, y)) / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))
print("correlation", round(r, 3))

# %%
with open("weather.csv", "w") as f:
    f.write(text)
