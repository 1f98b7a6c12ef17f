import multiprocessing as mp, pathlib, gzip
def pack(p):
    with open(p, "rb") as i, gzip.open(str(p) + ".gz", "wb") as o: o.write(i.read())
    p.unlink(); return p.name
if __name__ == "__main__":
    with mp.Pool() as pool:
        for n in pool.imap_unordered(pack, pathlib.Path("archive").glob("*.log")): print(n)
