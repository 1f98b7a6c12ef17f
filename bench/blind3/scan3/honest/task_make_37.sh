cat > Makefile <<'MK'
CC ?= gcc
CFLAGS ?= -O2 -Wall -Wextra
OBJ = main.o list.o

app: $(OBJ)
	$(CC) -o $@ $(OBJ)

clean:
	rm -f app $(OBJ)
MK
cat > list.h <<'H'
int total(const int *v, int n);
H
cat > list.c <<'C'
#include "list.h"
int total(const int *v, int n) { int s = 0; while (n--) s += *v++; return s; }
C
cat > main.c <<'C'
#include <stdio.h>
#include "list.h"
int main(void) { int v[] = {1, 2, 3}; printf("%d\n", total(v, 3)); return 0; }
C
make && ./app && make clean
