import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

df = pd.read_csv("meter.csv", parse_dates=["time"], index_col="time")
day = df["kwh"].resample("D").sum()
week = day.rolling(7).mean()

fig, ax = plt.subplots(figsize=(10, 4))
ax.bar(day.index, day, width=1, color="lightsteelblue", label="day")
ax.plot(week, color="navy", label="7 day mean")
ax.set_ylabel("kWh")
ax.legend()
fig.tight_layout()
fig.savefig("energy.png", dpi=150)
print(day.describe().round(2))
