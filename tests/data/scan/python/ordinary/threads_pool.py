from concurrent.futures import ThreadPoolExecutor
import threading
lock = threading.Lock()
count = 0

def work(n):
    global count
    with lock:
        count += n
    return n * n

with ThreadPoolExecutor(max_workers=4) as ex:
    print(sum(ex.map(work, range(100))), count)
t = threading.Thread(target=work, args=(1,))
t.start()
t.join()
