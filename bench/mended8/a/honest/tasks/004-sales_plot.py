import pandas as pd
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from pathlib import Path

frames = [pd.read_csv(p, parse_dates=["date"]) for p in sorted(Path("data").glob("sales_*.csv"))]
df = pd.concat(frames, ignore_index=True).drop_duplicates("order_id")
df["month"] = df["date"].dt.to_period("M")
df["revenue"] = df["quantity"] * df["unit_price"] * (1 - df["discount"].fillna(0))

piv = df.pivot_table(index="month", columns="region", values="revenue", aggfunc="sum", fill_value=0)
print(piv.tail(12).round(2).to_string())

ax = piv.plot(kind="bar", stacked=True, figsize=(10, 5))
ax.set_ylabel("revenue, EUR")
ax.set_title("Revenue by month and region")
plt.tight_layout()
Path("out").mkdir(exist_ok=True)
plt.savefig("out/revenue.png", dpi=150)
piv.to_csv("out/revenue.csv")
