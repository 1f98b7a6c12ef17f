# %% load
import pandas as pd
import numpy as np
df = pd.read_parquet("data/trips.parquet")
df.info()
# %% distances
rad = np.radians(df[["lat1", "lon1", "lat2", "lon2"]].to_numpy()).T
a = np.sin((rad[2] - rad[0]) / 2) ** 2 + np.cos(rad[0]) * np.cos(rad[2]) * np.sin((rad[3] - rad[1]) / 2) ** 2
df["km"] = 12742 * np.arcsin(np.sqrt(a))
# %% outliers
q = df["km"].quantile([.25, .75])
iqr = q.iloc[1] - q.iloc[0]
clean = df[df["km"].between(q.iloc[0] - 1.5 * iqr, q.iloc[1] + 1.5 * iqr)]
print(len(df) - len(clean), "outliers")
# %% save
clean.sample(1000, random_state=0).to_csv("sample.csv", index=False)
