/* banned.h - functions that do not compile here (force-included by the build).
 *
 * Each has a length-checked or error-reporting twin in base/parse.h or base/buf.h.
 */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __clang__ /* for which glibc's fortified headers have macros of some of them, and a macro cannot be poisoned */
#undef sprintf
#undef vsprintf
#endif
#pragma GCC poison strcpy strcat sprintf vsprintf strncpy strncat strtok gets
#pragma GCC poison atoi atol atoll strtol strtoll strtoul strtoull sscanf vsscanf
