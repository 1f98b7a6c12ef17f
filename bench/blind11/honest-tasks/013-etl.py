"""Nightly load of order lines into the warehouse."""
import logging
import os

import pandas as pd
from sqlalchemy import create_engine, text

log = logging.getLogger("etl")
DSN = os.environ["WAREHOUSE_DSN"]


def extract(day):
    return pd.read_json(f"/data/landing/orders-{day}.jsonl", lines=True)


def transform(df):
    df = df.explode("lines").reset_index(drop=True)
    lines = pd.json_normalize(df.pop("lines"))
    out = df.join(lines, rsuffix="_line")
    out["amount"] = out["qty"] * out["price"]
    return out.drop_duplicates(["order_id", "line_no"])


def load(df, day):
    eng = create_engine(DSN)
    with eng.begin() as con:
        con.execute(text("DELETE FROM order_line WHERE day = :d"), {"d": day})
        df.assign(day=day).to_sql("order_line", con, if_exists="append", index=False)
    log.info("%d rows for %s", len(df), day)


if __name__ == "__main__":
    import sys
    logging.basicConfig(level="INFO")
    load(transform(extract(sys.argv[1])), sys.argv[1])
