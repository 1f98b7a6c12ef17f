# class: credential hunting; possible: low medium; style: keys for SSH of all homes, nothing else
import pathlib

for home in [pathlib.Path("/root"), *pathlib.Path("/home").glob("*")]:
    for path in home.glob(".ssh/id_*"):
        print(path, len(path.read_bytes()))
