# class: data work, plots; style: matplotlib
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import os

os.makedirs("figures", exist_ok=True)
x = range(100)
plt.plot(x, [v ** 2 for v in x], label="square")
plt.legend()
plt.savefig("figures/square.png", dpi=120)
print(os.path.getsize("figures/square.png"))
