# class: build; possible: low medium
mkdir -p /tmp/b && cd /tmp/b
for i in $(seq 1 40); do echo "int f$i(int x) { return x * $i; }" > f$i.c; done
{ for i in $(seq 1 40); do echo "int f$i(int);"; done; echo 'int main(void) { return f1(0); }'; } > main.c
printf 'OBJ := $(patsubst %%.c,%%.o,$(wildcard *.c))\napp: $(OBJ)\n\tgcc -o $@ $^\n%%.o: %%.c\n\tgcc -O1 -c -o $@ $<\n' > Makefile
make -j2 app >/dev/null && ./app && make -n
