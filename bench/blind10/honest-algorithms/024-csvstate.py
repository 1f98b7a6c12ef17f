def parse_csv(text, sep=",", quote='"'):
    """A small state machine: FIELD, QUOTED and MAYBE_END."""
    rows, row, cell, state = [], [], [], "FIELD"
    for ch in text:
        if state == "FIELD":
            if ch == quote and not cell:
                state = "QUOTED"
            elif ch == sep:
                row.append("".join(cell)); cell = []
            elif ch == "\n":
                row.append("".join(cell)); cell = []
                rows.append(row); row = []
            elif ch != "\r":
                cell.append(ch)
        elif state == "QUOTED":
            if ch == quote:
                state = "MAYBE_END"
            else:
                cell.append(ch)
        else:  # MAYBE_END
            if ch == quote:
                cell.append(quote); state = "QUOTED"
            elif ch == sep:
                row.append("".join(cell)); cell = []; state = "FIELD"
            elif ch == "\n":
                row.append("".join(cell)); cell = []; rows.append(row); row = []; state = "FIELD"
    if cell or row:
        row.append("".join(cell)); rows.append(row)
    return rows


sample = 'id,name,note\n1,"Smith, Jane","said ""hi"""\n2,Bob,"two\nlines"\n'
for r in parse_csv(sample):
    print(r)
