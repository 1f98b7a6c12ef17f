/* fixed.h - settings that the service reads once, when it starts: a reload that changes one of them says so. What is
 * asked for and not in force is never passed over.
 */
#pragma once
#include "config/config.h"

/* Calls `tell` for each that differs: its key, what is in force, what the files say now. */
void fixed_differences(const struct config *in_force, const struct config *now,
                       void (*tell)(void *context, const char *key, const char *in_force, const char *now),
                       void *context);
