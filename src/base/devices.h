/* devices.h - the device nodes that a sandbox gets of its host: names and numbers
 * (Documentation/admin-guide/devices.txt).
 *
 * A caller that hands one out compares: the name alone says nothing of what lies there.
 */
#pragma once
#include "base/base.h"

#define DEVICE_MAJOR 1u /* of all of them: memory devices */

static const struct device_node {
    const char *path;
    uint32_t minor;
} device_nodes[] = {
    { "/dev/null", 3 }, { "/dev/zero", 5 }, { "/dev/full", 7 }, { "/dev/random", 8 }, { "/dev/urandom", 9 }
};

/* 0: not one of them */
static inline uint32_t device_minor(const char *path)
{
    for (size_t i = 0; i < ARRAY_LEN(device_nodes); i++)
        if (str_eq(path, device_nodes[i].path))
            return device_nodes[i].minor;
    return 0;
}
