import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

data = {"Mon": 12, "Tue": 18, "Wed": 7, "Thu": 22, "Fri": 15}
fig, ax = plt.subplots(figsize=(5, 3))
ax.bar(list(data), list(data.values()))
ax.set_ylabel("tickets")
fig.tight_layout()
fig.savefig("tickets.png", dpi=120)
