import csv
import shutil
with open("in.csv") as src, open("out.csv", "w", newline="") as dst:
    reader = csv.reader(src)
    writer = csv.writer(dst)
    header = [h.strip().lower().replace(" ", "_") for h in next(reader)]
    writer.writerow(header)
    writer.writerows(reader)
shutil.copy("out.csv", "out.backup.csv")
