# class: data work; style: pandas notebook export
# %%
import pandas as pd

# %%
df = pd.read_csv("data/sales.csv", parse_dates=["date"])
df.head()

# %%
monthly = df.groupby(df["date"].dt.to_period("M"))["amount"].agg(["sum", "mean", "count"])
monthly.to_csv("out/monthly.csv")
monthly
