# reads packed configuration: base64, gzip, json
import base64, gzip, json, sys


def unpack(text: str) -> dict:
    return json.loads(gzip.decompress(base64.b64decode(text)))


def pack(obj: dict) -> str:
    return base64.b64encode(gzip.compress(json.dumps(obj).encode(), mtime=0)).decode()


if __name__ == "__main__":
    if sys.argv[1:] == ["pack"]:
        print(pack(json.load(sys.stdin)))
    else:
        json.dump(unpack(sys.stdin.read()), sys.stdout, indent=2)
