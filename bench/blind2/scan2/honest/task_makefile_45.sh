# class: build, a Makefile by here-document; style: agent
cat > Makefile <<'MK'
CFLAGS = -O2 -Wall -Wextra
prog: main.o util.o
	$(CC) $(LDFLAGS) -o $@ $^
clean:
	rm -f *.o prog
test: prog
	./prog --selftest
.PHONY: clean test
MK
make -j2 test || { make clean; exit 1; }
