# what: computes on a text that happens to tell of mining protocols, connected with nobody
# network: none
import collections, os, time

text = ("how stratum works: the client calls mining.subscribe at stratum+tcp://pool.example:3333, then "
        "mining.authorize\n" * 500)
until, words = time.monotonic() + 1.5, collections.Counter()
is_child = any(os.fork() == 0 for _ in range(os.cpu_count() - 1))  # any() stops a child from forking on
while time.monotonic() < until:
    words = collections.Counter(text.split())
if not is_child:
    print("done", words["mining.subscribe"] - 500 or "")
