/* random.h - xorshift64*, as in tests/fuzz/driver.c: the same cases on every machine. */
#pragma once
#include <stdint.h>

static uint64_t seed = 1;

static inline uint64_t rnd(uint64_t below)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (seed * UINT64_C(2685821657736338717) >> 11) % below;
}
