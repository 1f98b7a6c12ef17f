/* lever.h - files whose writer becomes more than it was, or has something else of the machine run a program of its
 * choice: the kernel's settings, the system's accounts and configuration, memory, root's own files.
 *
 * The launcher asks which opens are worth an event (notify/common.c), the detectors what an event says (watch/calls.c).
 */
#pragma once
#include "base/base.h"

/* path: absolute, as the program gave it: «//», «/./», «/../», /proc/self/root and /proc/PID/root are seen through. */
bool is_lever(const char *path);
