import textwrap, pathlib, subprocess, sys
gen = textwrap.dedent("""
    import random, csv, sys
    rng = random.Random(7)
    w = csv.writer(sys.stdout)
    w.writerow(["id", "value"])
    for i in range(100):
        w.writerow([i, rng.gauss(0, 1)])
""")
data = subprocess.run([sys.executable, "-c", gen], capture_output=True, text=True, check=True).stdout
pathlib.Path("data.csv").write_text(data)
exec(compile("x = len(data)", "<calc>", "exec")); print(x)
