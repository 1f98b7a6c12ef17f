import numpy as np, matplotlib  # damped oscillation figure
matplotlib.use("Agg")
import matplotlib.pyplot as plt
t = np.linspace(0, 10, 500)
for g in (0.1, 0.3, 0.6):
    plt.plot(t, np.exp(-g * t) * np.cos(4 * t), label=f"$\\gamma={g}$")
plt.legend(); plt.xlabel("t"); plt.savefig("fig/damped.pdf")
