# class: benchmark; style: terse
import cProfile, pstats, io, subprocess, sys, time
pr = cProfile.Profile(); pr.enable()
sum(i * i for i in range(10**6)); sorted(range(10**5), key=lambda x: -x)
pr.disable()
s = io.StringIO(); pstats.Stats(pr, stream=s).sort_stats("cumtime").print_stats(8); print(s.getvalue())
t = time.perf_counter()
for _ in range(10): subprocess.run([sys.executable, "-c", "pass"])
print("start of python: %.1f ms" % ((time.perf_counter() - t) * 100))
