# class: data work, plot from an API; style: terse
import io, urllib.request, pandas as pd, matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
raw = urllib.request.urlopen("https://data.giss.nasa.gov/gistemp/tabledata_v3/GLB.Ts+dSST.csv", timeout=30).read()
df = pd.read_csv(io.BytesIO(raw), skiprows=1, na_values="***").set_index("Year")
df["J-D"].plot(figsize=(8, 4)); plt.title("anomaly"); plt.savefig("/tmp/anomaly.png")
