import argparse
from pathlib import Path

import pandas as pd


def clean(df: pd.DataFrame) -> pd.DataFrame:
    df = df.rename(columns=lambda c: c.strip().lower().replace(" ", "_"))
    df = df.drop_duplicates().dropna(subset=["order_id"])
    df["order_date"] = pd.to_datetime(df["order_date"], errors="coerce")
    df["amount"] = pd.to_numeric(df["amount"].astype(str).str.replace("[€$,]", "", regex=True), errors="coerce")
    return df[df["amount"] > 0]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("src", type=Path)
    ap.add_argument("-o", "--out", type=Path, default=Path("clean.parquet"))
    a = ap.parse_args()
    df = clean(pd.read_csv(a.src))
    df.to_parquet(a.out, index=False)
    print(df.groupby(df["order_date"].dt.to_period("M"))["amount"].sum())


if __name__ == "__main__":
    main()
