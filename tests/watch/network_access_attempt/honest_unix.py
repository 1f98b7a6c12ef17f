# what: an event loop and worker processes, which talk over socketpairs and named sockets
# network: none
import asyncio, multiprocessing, os, socket

async def nothing():
    return await asyncio.to_thread(os.getpid)

asyncio.run(nothing())
with multiprocessing.Pool(2) as pool:
    assert pool.map(abs, [-1, -2]) == [1, 2]
l = socket.socket(socket.AF_UNIX)
l.bind("/tmp/s")
l.listen()
c = socket.socket(socket.AF_UNIX)
c.connect("/tmp/s")
print("done")
