# what: two hundred short threads, at most six at a time
# network: none
import concurrent.futures, threading, time

with concurrent.futures.ThreadPoolExecutor(6) as pool:
    list(pool.map(time.sleep, [0.001] * 300))
for _ in range(100):
    t = threading.Thread(target=abs, args=[1])
    t.start()
    t.join()
print("done")
