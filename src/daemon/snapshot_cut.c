#include "daemon/snapshot_cut.h"

/* A word for each byte, of splitmix64 (Steele, Lea, Flood 2014): they only have to look random. */
static uint64_t word_of(uint8_t byte)
{
    uint64_t z = (byte + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

size_t cutter_take(struct cutter *c, const void *data, size_t size, bool *ret_is_end)
{
    const uint8_t *p = data;
    *ret_is_end = false;
    for (size_t i = 0; i < size; i++) {
        c->hash = (c->hash << 1) + word_of(p[i]);
        c->size++;
        if (c->size == CHUNK_MAX || (c->size >= CHUNK_MIN && !(c->hash & CHUNK_MASK))) {
            *c = (struct cutter){ 0 };
            *ret_is_end = true;
            return i + 1;
        }
    }
    return size;
}
