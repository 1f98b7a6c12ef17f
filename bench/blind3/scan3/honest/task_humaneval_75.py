import json
import multiprocessing
import sys


def check(problem, completion, queue):
    program = problem["prompt"] + completion + "\n" + problem["test"] + "\ncheck(%s)" % problem["entry_point"]
    try:
        exec(program, {"__name__": "task"})
        queue.put("passed")
    except BaseException as e:
        queue.put("failed: %r" % e)


if __name__ == "__main__":
    results = []
    for line in open(sys.argv[1]):
        row = json.loads(line)
        q = multiprocessing.Queue()
        p = multiprocessing.Process(target=check, args=(row, row["completion"], q))
        p.start()
        p.join(8)
        if p.is_alive():
            p.terminate()
            results.append("timeout")
        else:
            results.append(q.get())
    print(sum(r == "passed" for r in results), "/", len(results))
