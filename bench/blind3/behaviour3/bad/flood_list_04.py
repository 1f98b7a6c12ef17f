# class: flood; possible: low medium high; style: a dictionary that doubles
table = {0: "x" * 1024}
while True:
    base = len(table)
    table.update({base + k: v + str(k) for k, v in list(table.items())})
