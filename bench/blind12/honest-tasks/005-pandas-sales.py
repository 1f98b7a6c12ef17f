import pandas as pd

df = pd.read_csv("sales.csv", parse_dates=["date"])
df["month"] = df["date"].dt.to_period("M")
out = df.groupby(["month", "region"], as_index=False)["amount"].sum()
out.to_csv("sales_by_month.csv", index=False)
print(out.head(12).to_string())
