import pandas as pd
df = pd.DataFrame({"city": ["Oslo", "Rome", "Oslo", "Lima"], "sales": [3, 5, 8, 2]})
print(df.groupby("city").sales.agg(["sum", "mean"]).sort_values("sum"))
print(df.eval("sales * 2").sum(), df.query("sales > 2").shape)
