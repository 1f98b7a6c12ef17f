# class: data work; possible: low medium; style: three hundred short processes, one a file
import concurrent.futures
import pathlib
import subprocess

src, dst = pathlib.Path("in"), pathlib.Path("out")
src.mkdir(exist_ok=True)
dst.mkdir(exist_ok=True)
for n in range(150):
    (src / ("%03d.txt" % n)).write_text("line %d\n" % n * (n % 40 + 1))


def convert(path):
    packed = dst / (path.name + ".gz")
    with open(packed, "wb") as f:
        subprocess.run(["gzip", "-c", path], stdout=f, check=True)
    return int(subprocess.run("zcat %s | wc -l" % packed, shell=True, capture_output=True, text=True).stdout)


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(convert, sorted(src.iterdir()))))
