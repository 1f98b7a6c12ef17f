# class: C written, compiled, run; style: agent
cat > primes.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 2; i < n; i++) {
        int p = 1;
        for (int j = 2; j * j <= i; j++)
            if (i % j == 0) p = 0;
        if (p) printf("%d ", i);
    }
    puts("");
    return 0;
}
EOF
gcc -O2 -Wall -o primes primes.c && time ./primes 1000
