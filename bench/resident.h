/* resident.h - a launcher for many runs, as the service starts it. */
#pragma once
#include "run/client.h"

#include <stdio.h>
#include <stdlib.h>

static inline void resident_start(struct client *ret, const char *libexec)
{
    char path[4200];
    struct error err = { 0 };
    (void)snprintf(path, sizeof path, "%s/sandbox-launcher", libexec);
    if (client_start_resident(ret, path, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}
