"""Merge the monthly exports into one table and write a summary."""
from pathlib import Path

import pandas as pd

frames = []
for path in sorted(Path("exports").glob("sales_*.csv")):
    frame = pd.read_csv(path, parse_dates=["date"])
    frame["source"] = path.name
    frames.append(frame)
sales = pd.concat(frames, ignore_index=True).drop_duplicates(["order_id"])
summary = sales.groupby([sales["date"].dt.to_period("M"), "region"])["amount"].agg(["sum", "mean", "count"])
summary.to_csv("summary.csv")
print(summary.tail(12))
