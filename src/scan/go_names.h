/* go_names.h - what Go's library does, as data: see struct known in typed.h. Borrowed; never changes. */
#pragma once
#include "scan/typed.h"

const struct known *go_known(size_t *ret_count);
