#include "daemon/webhook_internal.h"

enum webhook_verdict webhook_verdict(unsigned status)
{
    if (status >= 200 && status < 300)
        return WEBHOOK_DELIVERED;
    if (status >= 500 || status == 408 || status == 429)
        return WEBHOOK_AGAIN;
    return WEBHOOK_HOPELESS; /* a redirect, too: where it points to was not configured */
}

uint64_t webhook_pause(uint64_t first_ms, uint32_t attempts, uint64_t random, uint64_t retry_after_ms)
{
    uint64_t pause = MIN_OF(first_ms, (uint64_t)WEBHOOK_MAX_PAUSE_MS);
    for (uint32_t i = 1; i < attempts && pause < WEBHOOK_MAX_PAUSE_MS; i++)
        pause = MIN_OF(pause * 2, (uint64_t)WEBHOOK_MAX_PAUSE_MS);
    pause = pause - pause / 4 + random % (pause / 2 + 1);
    return MAX_OF(pause, MIN_OF(retry_after_ms, (uint64_t)WEBHOOK_MAX_RETRY_AFTER_MS));
}
