# cleans a customer table
import pandas as pd

df = pd.read_csv("in/customers.csv", dtype=str)
df.columns = [c.strip().lower().replace(" ", "_") for c in df.columns]
df["email"] = df["email"].str.strip().str.lower()
df = df.drop_duplicates("email").dropna(subset=["email"])
df["signup"] = pd.to_datetime(df["signup"], errors="coerce")
df.to_parquet("out/customers.parquet", index=False)
print(len(df), "rows;", df["signup"].isna().sum(), "without date")
