from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

DATA = Path("data")

frames = [pd.read_csv(f, parse_dates=["date"]) for f in sorted(DATA.glob("sales_*.csv"))]
df = pd.concat(frames, ignore_index=True).dropna(subset=["amount"])
df["month"] = df["date"].dt.to_period("M").astype(str)

pivot = df.pivot_table(index="month", columns="region", values="amount", aggfunc="sum", fill_value=0)
growth = pivot.pct_change().mul(100).round(1)

fig, ax = plt.subplots(figsize=(9, 4))
pivot.plot(ax=ax, marker="o")
ax.set_ylabel("EUR")
ax.grid(alpha=0.3)
fig.tight_layout()
fig.savefig("sales.png", dpi=150)

with pd.ExcelWriter("sales.xlsx", engine="openpyxl") as xl:
    pivot.to_excel(xl, sheet_name="totals")
    growth.to_excel(xl, sheet_name="growth")
    df.nlargest(20, "amount").to_excel(xl, sheet_name="top", index=False)
print(pivot.tail(3).to_string())
