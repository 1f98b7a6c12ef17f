import html
import re

RULES = [
    (r"^(#{1,6}) (.*)$", lambda m: f"<h{len(m[1])}>{m[2]}</h{len(m[1])}>"),
    (r"\*\*(.+?)\*\*", r"<b>\1</b>"),
    (r"\*(.+?)\*", r"<i>\1</i>"),
    (r"`(.+?)`", r"<code>\1</code>"),
    (r"\[(.+?)\]\((.+?)\)", r'<a href="\2">\1</a>'),
]


def convert(src: str) -> str:
    out, para, lst = [], [], []

    def close():
        if para:
            out.append("<p>" + " ".join(para) + "</p>")
            para.clear()
        if lst:
            out.append("<ul>" + "".join(f"<li>{x}</li>" for x in lst) + "</ul>")
            lst.clear()

    for line in src.splitlines():
        line = html.escape(line.rstrip(), quote=False)
        for rx, to in RULES:
            line = re.sub(rx, to, line)
        if not line:
            close()
        elif line.startswith("- "):
            lst.append(line[2:])
        elif line.startswith("<h"):
            close()
            out.append(line)
        else:
            para.append(line)
    close()
    return "\n".join(out)


print(convert("# Title\n\nSome *text* with `code` and [link](https://example.com).\n\n- one\n- two"))
