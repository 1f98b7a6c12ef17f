# coding: utf-8
# exported notebook: exploration of the sales table
# In[1]:
import pandas as pd
import matplotlib.pyplot as plt
get_ipython().run_line_magic("matplotlib", "inline")
# In[2]:
get_ipython().system("pip install -q openpyxl seaborn")
# In[3]:
df = pd.read_excel("data/sales_2024.xlsx", sheet_name="Q1-Q4")
df.head()
# In[4]:
df["date"] = pd.to_datetime(df["date"])
df.isna().sum()
# In[5]:
m = df.groupby(df["date"].dt.to_period("M"))["amount"].sum()
m.plot(kind="bar", figsize=(10, 4)); plt.tight_layout(); plt.savefig("out/monthly.png")
# In[6]:
get_ipython().system("ls -la out | head")
