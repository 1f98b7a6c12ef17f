import pandas as pd

df = pd.read_csv("sales.csv", parse_dates=["sold_at"])
df["revenue"] = df.qty * df.unit_price

weekly = (
    df.set_index("sold_at")
      .groupby("store")
      .resample("W")["revenue"]
      .sum()
      .unstack(0)
      .fillna(0)
      .round(2)
)
weekly.to_excel("weekly.xlsx")
top = df.groupby("sku").revenue.sum().nlargest(10)
print(weekly.tail(4))
print("\nTop ten articles\n", top)
