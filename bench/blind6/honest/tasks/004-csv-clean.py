import pandas as pd

df = pd.read_csv("data/orders.csv", parse_dates=["date"])
before = len(df)
df = df.drop_duplicates("order_id").dropna(subset=["amount"])
df["amount"] = df["amount"].astype(str).str.replace(",", ".").astype(float)
df["month"] = df["date"].dt.to_period("M")
print(before - len(df), "rows removed")
summary = df.groupby(["month", "country"])["amount"].agg(["sum", "mean", "count"]).round(2)
summary.to_csv("out/summary.csv")
print(summary.tail())
