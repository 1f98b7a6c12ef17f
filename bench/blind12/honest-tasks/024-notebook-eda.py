# %% load
import pandas as pd
df = pd.read_parquet("events.parquet")
df.info()

# %% missing values
print(df.isna().mean().sort_values(ascending=False).head())

# %% users by day
daily = df.set_index("ts").resample("D")["user_id"].nunique()
daily.rolling(7).mean().plot()
print(daily.tail(14))
