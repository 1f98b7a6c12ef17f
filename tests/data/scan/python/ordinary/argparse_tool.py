import argparse
import logging
import os
import sys

log = logging.getLogger(__name__)

def main(argv=None):
    parser = argparse.ArgumentParser(description="Join text files")
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", "--output", default="out.txt")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO, filename="join.log")
    with open(args.output, "w") as out:
        for name in args.files:
            if not os.path.exists(name):
                log.error("no such file: %s", name)
                return 1
            out.write(open(name).read())
    return 0

if __name__ == "__main__":
    sys.exit(main())
