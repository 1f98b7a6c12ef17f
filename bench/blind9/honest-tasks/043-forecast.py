import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from statsmodels.tsa.holtwinters import ExponentialSmoothing

s = pd.read_csv("demand.csv", index_col="ts", parse_dates=True)["mw"].asfreq("h").interpolate(limit=3)

# hold out the last week
train, held = s[:-168], s[-168:]
fit = ExponentialSmoothing(train, trend="add", damped_trend=True, seasonal="add", seasonal_periods=24).fit()
pred = fit.forecast(168)

mape = float(np.mean(np.abs((held - pred) / held)) * 100)
naive = float(np.mean(np.abs((held - train[-168:].to_numpy()) / held)) * 100)
print(f"MAPE {mape:.2f}% (same hour last week: {naive:.2f}%)")

ax = s[-336:].plot(figsize=(10, 4), label="actual")
pred.plot(ax=ax, label="forecast")
ax.legend()
plt.tight_layout()
plt.savefig("forecast.png", dpi=120)
