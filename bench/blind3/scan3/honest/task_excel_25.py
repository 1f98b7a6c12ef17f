from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font

src = load_workbook("hours.xlsx", data_only=True)
out = Workbook()
sheet = out.active
sheet.title = "Totals"
sheet.append(["Person", "Hours"])
for cell in sheet[1]:
    cell.font = Font(bold=True)
totals = {}
for ws in src.worksheets:
    for person, hours in ws.iter_rows(min_row=2, max_col=2, values_only=True):
        if person:
            totals[person] = totals.get(person, 0) + (hours or 0)
for row in sorted(totals.items()):
    sheet.append(row)
sheet.append(["Sum", "=SUM(B2:B%d)" % (len(totals) + 1)])
out.save("totals.xlsx")
