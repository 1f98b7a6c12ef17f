import sys
import pandas as pd

df = pd.read_csv(sys.argv[1], parse_dates=["date"])
df.columns = df.columns.str.strip().str.lower().str.replace(" ", "_")
before = len(df)
df = df.drop_duplicates("order_id").dropna(subset=["amount"])
df["amount"] = pd.to_numeric(df["amount"].astype(str).str.replace(r"[^\d.\-]", "", regex=True), errors="coerce")
df = df[df["amount"].between(0, df["amount"].quantile(0.999))]
pivot = df.pivot_table(index=df["date"].dt.to_period("M"), columns="region", values="amount", aggfunc="sum", fill_value=0)
pivot.to_csv("monthly.csv")
print(f"{before - len(df)} rows dropped")
print(pivot.tail())
