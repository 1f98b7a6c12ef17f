import logging
import sys
from pathlib import Path

import duckdb
import polars as pl

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("etl")

INBOX, DONE, BAD = Path("inbox"), Path("done"), Path("bad")


def clean(path: Path) -> pl.DataFrame:
    return (
        pl.read_csv(path, try_parse_dates=True)
        .rename(str.lower)
        .unique(subset=["order_id"])
        .with_columns(pl.col("amount").cast(pl.Float64), pl.col("email").str.to_lowercase().str.strip_chars())
        .filter(pl.col("amount") > 0)
    )


def main() -> int:
    for d in (DONE, BAD):
        d.mkdir(exist_ok=True)
    con = duckdb.connect("warehouse.duckdb")
    con.execute("create table if not exists orders(order_id bigint primary key, day date, email text, amount double)")
    failed = 0
    for path in sorted(INBOX.glob("*.csv")):
        try:
            df = clean(path)
            con.execute("insert or ignore into orders select order_id, day, email, amount from df")
            log.info("%s: %d rows", path.name, len(df))
            path.rename(DONE / path.name)
        except Exception as e:  # a bad file must not stop the others
            log.warning("%s: %s", path.name, e)
            path.rename(BAD / path.name)
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
