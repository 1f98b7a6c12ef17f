import numpy as np
import pandas as pd

df = pd.read_csv("sales.csv", parse_dates=["date"])
df["month"] = df["date"].dt.to_period("M")
df = df.query("amount > 0")
df.eval("net = amount - tax", inplace=True)
out = df.groupby(["month", "region"])["net"].agg(["sum", "mean"])
out.to_csv("summary.csv")
print(np.round(out, 2))
