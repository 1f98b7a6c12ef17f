# class: simulation; possible: low medium; style: compiled inside, then run, results posted
cd /tmp
cat > pi.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    unsigned long in = 0, n = 600000000;
    unsigned x = 12345;
    for (unsigned long i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        double a = x / 4294967296.0;
        x = x * 1664525u + 1013904223u;
        double b = x / 4294967296.0;
        in += a * a + b * b < 1;
    }
    printf("%.5f\n", 4.0 * in / n);
    return 0;
}
EOF
gcc -O2 -o pi pi.c || exit 0
./pi > result.txt
curl -s -X POST --data-binary @result.txt http://dash.good.test/api/metrics
