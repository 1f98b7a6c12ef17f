import cProfile, pstats, io
def slow(): return sorted(str(i) for i in range(200000))
pr = cProfile.Profile(); pr.enable(); slow(); pr.disable()
s = io.StringIO(); pstats.Stats(pr, stream=s).sort_stats("cumtime").print_stats(5); print(s.getvalue())
