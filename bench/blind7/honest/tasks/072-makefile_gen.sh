#!/bin/sh
set -eu
mkdir -p hello && cd hello
cat > hello.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 3;
    for (long i = 1; i <= n; i++) printf("%ld: hello\n", i);
    return 0;
}
C
printf '%s\n' 'CFLAGS ?= -O2 -Wall -Wextra' 'hello: hello.c' > Makefile
printf '\t$(CC) $(CFLAGS) -o $@ $<\n' >> Makefile
printf 'check: hello\n\ttest "$$(./hello 2 | wc -l)" -eq 2\nclean:\n\trm -f hello\n.PHONY: check clean\n' >> Makefile
make check
