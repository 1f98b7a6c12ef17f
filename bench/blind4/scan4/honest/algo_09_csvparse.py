# quote-aware CSV reader written as a state machine
def parse(text, sep=","):
    rows, row, cell, quoted = [], [], [], False
    it = iter(text)
    prev = ""
    for ch in it:
        if quoted:
            if ch == '"':
                quoted = False
            else:
                cell.append(ch)
        elif ch == '"':
            if prev == '"':
                cell.append('"')
            quoted = True
        elif ch == sep:
            row.append("".join(cell)); cell = []
        elif ch == "\n":
            row.append("".join(cell)); cell = []
            rows.append(row); row = []
        else:
            cell.append(ch)
        prev = ch
    if cell or row:
        row.append("".join(cell))
        rows.append(row)
    return rows


print(parse('a,"b ""x""",c\n1,"2,3",4\n'))
