/* fnv.h - FNV-1a, for tables in memory. A client that chooses keys can make them collide. */
#pragma once
#include "base/base.h"

#define FNV_START UINT32_C(2166136261)

static inline uint32_t fnv_add(uint32_t hash, const void *data, size_t size)
{
    const uint8_t *at = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT32_C(16777619);
    return hash;
}

static inline uint32_t fnv_text(const char *text)
{
    return fnv_add(FNV_START, text, strlen(text));
}
