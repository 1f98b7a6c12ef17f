from graphlib import TopologicalSorter, CycleError

deps = {"app": {"lib", "config"}, "lib": {"core"}, "tests": {"app"}, "core": set(), "config": set()}
try:
    ts = TopologicalSorter(deps)
    ts.prepare()
    stage = 0
    while ts.is_active():
        ready = sorted(ts.get_ready())
        print("stage", stage, ready)
        ts.done(*ready)
        stage += 1
except CycleError as e:
    print("cycle", e.args[1])
