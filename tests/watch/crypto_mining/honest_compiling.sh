# what: compiles C for a while on two cores, and runs what it compiled, as any build with tests does
# network: none
cd /workspace || exit 3
for i in 1 2 3 4; do
    { echo '#include <stdio.h>'; echo '#include <stdlib.h>'; echo '#include <string.h>'
      for f in {1..40}; do echo "int f${f}_$i(int x) { char b[64]; memset(b, x, sizeof b); for (int j = 0; j < x; j++) b[j % 64] ^= (char)(j * $f); return b[x % 64]; }"; done
      echo "int main(void) { return printf(\"%d\\n\", f1_$i(7) * 0) != 2; }"; } > part$i.c
done
end=$((SECONDS + 1))
while [ $SECONDS -lt $end ]; do
    for i in 1 2 3 4; do
        gcc -O2 -o part$i part$i.c & [ $((i % 2)) = 0 ] && wait
    done
    wait
    for i in 1 2 3 4; do ./part$i > out$i || exit 4; done
done
echo done
