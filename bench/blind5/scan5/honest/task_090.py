import argparse, concurrent.futures as cf, urllib.request, pathlib
ap = argparse.ArgumentParser(); ap.add_argument("list", nargs="?", default="urls.txt"); a = ap.parse_args()
def get(u):
    p = pathlib.Path("downloads") / u.rsplit("/", 1)[-1]; p.parent.mkdir(exist_ok=True); urllib.request.urlretrieve(u, p); return p
with cf.ThreadPoolExecutor(4) as ex:
    for p in ex.map(get, pathlib.Path(a.list).read_text().split()): print(p, p.stat().st_size)
