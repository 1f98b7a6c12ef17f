from datetime import datetime
from pathlib import Path
import typer
from PIL import Image

app = typer.Typer()


def taken(p: Path) -> datetime:
    try:
        raw = Image.open(p).getexif().get_ifd(0x8769).get(0x9003)
        return datetime.strptime(raw, "%Y:%m:%d %H:%M:%S")
    except (TypeError, ValueError, OSError):
        return datetime.fromtimestamp(p.stat().st_mtime)


@app.command()
def main(folder: Path, apply: bool = False):
    for p in sorted(folder.glob("*.[jJ][pP]*[gG]")):
        base = f"{taken(p):%Y-%m-%d_%H%M%S}"
        new, n = p.with_name(base + ".jpg"), 1
        while new.exists() and new != p:
            new, n = p.with_name(f"{base}-{n}.jpg"), n + 1
        typer.echo(f"{p.name} -> {new.name}")
        if apply:
            p.rename(new)


app()
