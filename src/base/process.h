/* process.h - which process a pid means: a pid is used again, with its start time it is not. */
#pragma once
#include "base/base.h"

/* What is no start time: a zombie, which only its parent keeps from being gone. */
#define PROCESS_ENDED UINT64_MAX

/* Field 22 of /proc/PID/stat, in clock ticks since boot; 0: no such process, or /proc does not show it. */
uint64_t process_start(uint64_t pid);
/* This process's, which is looked up once. */
uint64_t process_own_start(void);
