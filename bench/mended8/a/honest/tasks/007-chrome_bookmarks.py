import argparse, json, pathlib

def walk(node, depth=0):
    if node.get("type") == "url":
        yield f"{'  ' * depth}- [{node['name'] or node['url']}]({node['url']})"
    else:
        yield f"{'  ' * depth}- **{node.get('name', '')}**"
        for c in node.get("children", []):
            yield from walk(c, depth + 1)

ap = argparse.ArgumentParser(description="Bookmarks to Markdown")
ap.add_argument("--profile", type=pathlib.Path, default=pathlib.Path.home() / ".config/google-chrome/Default")
ap.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("bookmarks.md"))
a = ap.parse_args()

roots = json.loads((a.profile / "Bookmarks").read_text())["roots"]
lines = ["# Bookmarks", ""]
for key in ("bookmark_bar", "other", "synced"):
    if key in roots:
        lines += walk(roots[key])
a.output.write_text("\n".join(lines) + "\n")
print(f"{len(lines) - 2} entries -> {a.output}")
