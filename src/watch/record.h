#pragma once
#include "watch/event.h"
void watch_record_line(const struct watch_event *e, struct buf *out);
