import pandas as pd, matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
df = pd.read_csv("sales.csv", parse_dates=["date"])
m = df.set_index("date").resample("M").amount.sum()
m.plot(kind="bar"); plt.tight_layout(); plt.savefig("monthly.png")
m.to_frame().to_excel("monthly.xlsx")
