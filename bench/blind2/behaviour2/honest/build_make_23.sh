# class: build; possible: low medium; style: thirty C files, compiler jobs in the background
set -e
mkdir -p /tmp/big && cd /tmp/big
for i in $(seq 1 30); do echo "int f$i(int x){int s=0;for(int i=0;i<x;i++)s+=i%($i+1);return s;}" > f$i.c; done
{ for i in $(seq 1 30); do echo "int f$i(int);"; done; echo '#include <stdio.h>'; echo 'int main(void){int s=0;'; for i in $(seq 1 30); do echo "s+=f$i(1000);"; done; echo 'printf("%d\n",s);return 0;}'; } > main.c
i=0
for c in *.c; do gcc -O2 -c $c & i=$((i + 1)); [ $((i % 3)) -eq 0 ] && wait; done
wait
gcc -o big ./*.o && ./big
