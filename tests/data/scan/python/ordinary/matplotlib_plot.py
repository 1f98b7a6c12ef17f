import math
import matplotlib.pyplot as plt
xs = [x / 10 for x in range(100)]
plt.plot(xs, [math.sin(x) for x in xs], label="sin")
plt.legend()
plt.savefig("plot.png")
