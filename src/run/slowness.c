#include "run/slowness.h"

#include <sys/mman.h>
#include "base/clock.h"

#define TURNS     100000u
#define PAGES     256u
#define PAGE_SIZE 4096u

#define PASSES 4u /* over the pages: where they are slow, they are so unequally */

/* On the reference: 187 and 3100 to 3500 */
#define LOOP_US  200u
#define PAGES_US 3500u

static uint64_t turn(void)
{
    uint64_t x = 1;
    const uint64_t from_us = clock_read_us(CLOCK_THREAD_CPUTIME_ID);
    for (uint32_t i = 0; i < TURNS; i++)
        x = (x ^ (x >> 7)) * UINT64_C(0x9e3779b97f4a7c15) + i;
    volatile uint64_t used = x; /* or the compiler leaves it all out */
    (void)used;
    return clock_read_us(CLOCK_THREAD_CPUTIME_ID) - from_us;
}

static uint64_t touch_pages(void)
{
    const uint64_t from_us = clock_read_us(CLOCK_THREAD_CPUTIME_ID);
    volatile char *p = mmap(NULL, PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 0;
    for (uint32_t i = 0; i < PAGES; i++)
        p[(size_t)i * PAGE_SIZE] = 1;
    (void)munmap((void *)(uintptr_t)p, PAGES * PAGE_SIZE);
    return clock_read_us(CLOCK_THREAD_CPUTIME_ID) - from_us;
}

uint32_t slowness_of(uint64_t loop_us, uint64_t pages_us)
{
    const uint64_t n = MAX_OF(loop_us / LOOP_US, pages_us / PAGES_US);
    return (uint32_t)MIN_OF(MAX_OF(n, UINT64_C(1)), (uint64_t)SLOWNESS_MAX);
}

uint32_t slowness_measure(void)
{
    uint64_t pages_us = 0;
    for (uint32_t i = 0; i < PASSES; i++)
        pages_us += touch_pages();
    return slowness_of(turn(), pages_us);
}
