import openpyxl, collections
wb = openpyxl.load_workbook("budget.xlsx", data_only=True); sums = collections.Counter()
for row in wb["2024"].iter_rows(min_row=2, values_only=True): sums[row[0]] += row[2] or 0
out = openpyxl.Workbook(); ws = out.active
for k, v in sums.most_common(): ws.append([k, v])
out.save("summary.xlsx")
