import sys
import polars as pl
import xlsxwriter

df = (
    pl.scan_csv(sys.argv[1], try_parse_dates=True)
    .filter(pl.col("status") == "closed")
    .with_columns((pl.col("closed_at") - pl.col("opened_at")).dt.total_hours().alias("hours"))
    .group_by("team")
    .agg(pl.len().alias("tickets"), pl.col("hours").median().alias("median_h"), pl.col("hours").quantile(0.9).alias("p90_h"))
    .sort("tickets", descending=True)
    .collect()
)
with xlsxwriter.Workbook("tickets.xlsx") as wb:
    ws = wb.add_worksheet("teams")
    bold = wb.add_format({"bold": True, "bottom": 1})
    ws.write_row(0, 0, df.columns, bold)
    for i, row in enumerate(df.iter_rows(), 1):
        ws.write_row(i, 0, row)
    ch = wb.add_chart({"type": "bar"})
    ch.add_series({"name": "tickets", "categories": ["teams", 1, 0, df.height, 0], "values": ["teams", 1, 1, df.height, 1]})
    ws.insert_chart("G2", ch)
print(df)
