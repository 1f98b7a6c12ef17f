// class: flood; possible: low medium; style: C, four busy processes
#include <time.h>
#include <unistd.h>

int main(void)
{
    fork();
    fork();
    time_t end = time(NULL) + 55;
    volatile unsigned long n = 0;
    while (time(NULL) < end)
        for (int i = 0; i < 1000000; i++)
            n++;
    return 0;
}
