import sys
import pandas as pd

url = sys.argv[1] if len(sys.argv) > 1 else "https://en.wikipedia.org/wiki/List_of_countries_by_population"
for i, t in enumerate(pd.read_html(url)):
    if t.shape[0] < 5:
        continue
    t.columns = ["_".join(map(str, c)) if isinstance(c, tuple) else str(c) for c in t.columns]
    t.to_csv(f"table_{i}.csv", index=False)
    print(f"table_{i}.csv {t.shape[0]} x {t.shape[1]}")
