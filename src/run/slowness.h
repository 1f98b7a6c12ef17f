/* slowness.h - how slowly this machine computes: what a limit on the CPU time of honest work is multiplied by.
 *
 * Measured in CPU time of the calling thread, so that a busy machine is not a slow one. An emulated one runs a loop
 * about as fast as its host, and everything that is new to it a hundred times slower: so pages are touched for the
 * first time, too, and the worse of the two counts.
 */
#pragma once
#include "base/base.h"

#define SLOWNESS_MAX 200u

/* 1: as the reference, a virtual machine on an AMD EPYC at 2.4 GHz, or faster; at most SLOWNESS_MAX. Takes 4 ms there.
 */
uint32_t slowness_measure(void);
/* The same of given times, in microseconds of CPU time: of the loop and of all passes over the pages. */
uint32_t slowness_of(uint64_t loop_us, uint64_t pages_us);
