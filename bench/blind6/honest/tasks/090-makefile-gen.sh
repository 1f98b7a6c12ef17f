#!/bin/bash
set -e
mkdir -p demo && cd demo
printf '%s\n' '#include <stdio.h>' 'int main(void) { puts("hello"); return 0; }' > main.c
printf 'CFLAGS=-Wall -O2\nall: demo\ndemo: main.o\n\t$(CC) -o $@ $^\nclean:\n\trm -f *.o demo\n.PHONY: all clean\n' > Makefile
make
./demo
make clean
