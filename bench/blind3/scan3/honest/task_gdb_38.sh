gcc -g -O0 -o crash crash.c
ulimit -c unlimited
./crash || echo "exit $?"
gdb -batch -ex run -ex bt -ex 'info locals' ./crash 2>&1 | tail -n 20
valgrind --error-exitcode=3 --leak-check=full ./crash 2>&1 | grep -A4 'Invalid' | head -40
strace -f -e trace=openat,connect ./crash 2> trace.txt; grep -c ENOENT trace.txt
