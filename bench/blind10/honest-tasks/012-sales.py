import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

# assignment: which product group grows fastest?
df = pd.read_csv("sales.csv", parse_dates=["date"])
df = df.dropna(subset=["amount"])
df["month"] = df["date"].dt.to_period("M")

table = df.pivot_table(index="month", columns="group", values="amount", aggfunc="sum").fillna(0)
growth = (table.iloc[-1] / table.iloc[0] - 1).sort_values(ascending=False)
print(growth.map("{:.1%}".format).to_string())

ax = table.plot(figsize=(9, 4), marker="o")
ax.set_ylabel("EUR")
ax.set_title("Sales per month")
plt.tight_layout()
plt.savefig("sales.png", dpi=150)
table.to_excel("sales_by_month.xlsx")
