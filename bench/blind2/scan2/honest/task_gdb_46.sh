# class: tests, looks at a crash; style: developer
ulimit -c unlimited
gcc -g -O0 -fsanitize=address,undefined crash.c -o crash
./crash < input.bin || true
gdb -batch -ex run -ex bt -ex 'info locals' --args ./crash input.bin 2>&1 | tail -40
valgrind --leak-check=full --error-exitcode=3 ./crash < input.bin
strace -f -e trace=file ./crash < input.bin 2>&1 | grep ENOENT | head
