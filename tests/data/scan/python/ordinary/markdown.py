import re
import html

def render(md):
    out = []
    for line in md.splitlines():
        line = html.escape(line)
        m = re.match(r"(#{1,6}) (.*)", line)
        if m:
            n = len(m[1])
            out.append(f"<h{n}>{m[2]}</h{n}>")
        else:
            out.append(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", line))
    return "\n".join(out)

print(render("# T\nsome **bold** text"))
