"""prometheus.py - Debian's programs of Prometheus for the tests.

Unpacked, not installed: the package starts a server."""
import shutil
import subprocess

import pytest

unpacked = {}


def program(name, tmp_path_factory):
    """promtool or prometheus -> its path. Skips where it is neither installed nor to be fetched."""
    if shutil.which(name):
        return shutil.which(name)
    if not shutil.which("apt-get"):
        pytest.skip("%s is not installed, and there is no apt-get to fetch it with" % name)
    if "place" not in unpacked:
        place = tmp_path_factory.mktemp("prometheus")
        got = subprocess.run(["apt-get", "download", "prometheus"], cwd=place, capture_output=True, text=True,
                             timeout=100)
        found = list(place.glob("prometheus_*.deb"))
        if got.returncode or not found:
            why = (got.stderr.strip().splitlines() or ["?"])[-1]
            pytest.skip("%s cannot be fetched (apt-get download prometheus): %s" % (name, why))
        subprocess.run(["dpkg", "-x", str(found[0]), str(place / "x")], check=True)
        unpacked["place"] = place
    return str(unpacked["place"] / "x/usr/bin" / name)
