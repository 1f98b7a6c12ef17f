# class: data work; style: office
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font
wb = load_workbook("in/budget.xlsx", data_only=True)
out = Workbook(); ws = out.active; ws.append(["sheet", "sum"]); ws["A1"].font = ws["B1"].font = Font(bold=True)
for sheet in wb:
    ws.append([sheet.title, sum(c.value for row in sheet.iter_rows(min_row=2, min_col=2, max_col=2) for c in row if isinstance(c.value, (int, float)))])
out.save("out/summary.xlsx")
