"""Monthly report: query, pivot, chart, mail to the team."""
import os
import smtplib
from datetime import date, timedelta
from email.message import EmailMessage

import pandas as pd
import sqlalchemy as sa

first = date.today().replace(day=1)
start = (first - timedelta(days=1)).replace(day=1)

engine = sa.create_engine(os.environ["SALES_DB"])
df = pd.read_sql(sa.text("select day, region, product, amount from sales where day >= :a and day < :b"),
                 engine, params={"a": start, "b": first}, parse_dates=["day"])
pivot = df.pivot_table(index="product", columns="region", values="amount", aggfunc="sum", margins=True)

name = f"sales-{start:%Y-%m}.xlsx"
with pd.ExcelWriter(name, engine="xlsxwriter") as w:
    pivot.to_excel(w, sheet_name="Summary")
    df.to_excel(w, sheet_name="Rows", index=False)
    chart = w.book.add_chart({"type": "column"})
    chart.add_series({"values": ["Summary", 1, 1, len(pivot) - 1, 1]})
    w.sheets["Summary"].insert_chart("H2", chart)

msg = EmailMessage()
msg["Subject"], msg["From"], msg["To"] = f"Sales {start:%B}", "reports@corp.example", "sales-team@corp.example"
msg.set_content(f"Total {df.amount.sum():,.0f}. Details attached.")
with open(name, "rb") as f:
    msg.add_attachment(f.read(), maintype="application", subtype="vnd.ms-excel", filename=name)
with smtplib.SMTP("smtp.corp.example", 587) as s:
    s.starttls()
    s.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"])
    s.send_message(msg)
