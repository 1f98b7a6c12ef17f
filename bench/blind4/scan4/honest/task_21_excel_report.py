# builds a workbook with formats and a chart
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font

wb = Workbook()
ws = wb.active
ws.title = "Summary"
ws.append(["Team", "Open", "Closed"])
for row in (("Core", 4, 31), ("Web", 11, 17), ("Ops", 2, 9)):
    ws.append(row)
for cell in ws[1]:
    cell.font = Font(bold=True)
chart = BarChart()
chart.add_data(Reference(ws, min_col=2, max_col=3, min_row=1, max_row=4), titles_from_data=True)
chart.set_categories(Reference(ws, min_col=1, min_row=2, max_row=4))
ws.add_chart(chart, "E2")
wb.save("report.xlsx")
