# class: build; possible: low medium; style: C files compiled and linked, then tested
mkdir -p /tmp/b && cd /tmp/b
for i in 1 2 3 4 5 6 7 8; do
    printf 'int f%d(int x) { return x * %d; }\n' $i $i > f$i.c
done
{
    for i in 1 2 3 4 5 6 7 8; do echo "int f$i(int);"; done
    echo '#include <stdio.h>'
    echo 'int main(void) { printf("%d\n", f1(1) + f8(2)); return 0; }'
} > main.c
ls *.c | xargs -P 4 -n 1 gcc -c && gcc -o prog *.o && ./prog
