"""Removes old images of this project from the local docker daemon.

Only images whose repository starts with the project prefix are considered,
and the newest ``KEEP`` of each repository stay.
"""
from collections import defaultdict

import docker

PREFIX = "registry.shop.example/shop/"
KEEP = 3


def main() -> None:
    """Remove what is not needed any more."""
    client = docker.from_env()
    used = {c.image.id for c in client.containers.list(all=True)}
    repos = defaultdict(list)
    for image in client.images.list():
        for tag in image.tags:
            if tag.startswith(PREFIX):
                repos[tag.rsplit(":", 1)[0]].append((image.attrs["Created"], tag, image.id))
    for repo, items in repos.items():
        for created, tag, ident in sorted(items, reverse=True)[KEEP:]:
            if ident in used:
                print("in use, kept:", tag)
                continue
            client.images.remove(tag)
            print("removed", tag, created[:10])
    print("reclaimed", client.images.prune(filters={"dangling": True})["SpaceReclaimed"] // 2 ** 20, "MiB")


if __name__ == "__main__":
    main()
