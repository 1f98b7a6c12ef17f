import sqlite3
from openpyxl import Workbook
from openpyxl.styles import Font

con = sqlite3.connect("file:shop.db?mode=ro", uri=True)
wb = Workbook()
ws = wb.active
ws.title = "Sales"
cur = con.execute("select date, product, qty, qty*price as total from sale order by date")
ws.append([c[0] for c in cur.description])
for cell in ws[1]:
    cell.font = Font(bold=True)
for row in cur:
    ws.append(row)
ws.auto_filter.ref = ws.dimensions
wb.save("sales.xlsx")
