/* attempts.h - hostile acts that a layer stopped, seen in the run's events: what a silent program cannot hide.
 *
 *   a write  a file that no program of an agent has a reason to change (policy/target.h) was opened for writing. Where
 *            the root is read-only nothing comes of it, whichever mount or permission says so.
 *   a call   for the cloud's metadata service, which hands out the machine's credentials. Libraries of clouds ask it by
 *            themselves, a few times, when they find no credentials: that is a restriction like any other. It is an
 *            attempt when the scan found the service in the code, or when more is asked than any library does.
 *
 * Other refused connections are restrictions: a level offers what it offers. Port scans and the like have detectors.
 */
#pragma once
#include "watch/event.h"

/* What the scan saw that the code means to do, which makes a refusal an attempt. */
enum metadata_intent {
    METADATA_NOT_NAMED,
    METADATA_NAMED, /* the text names the service: so does a list of what not to ask */
    METADATA_ASKED, /* it hands the address to a call that asks it */
};
struct intent {
    bool writes; /* what the system trusts (denied.h) */
    enum metadata_intent metadata;
};

#define ATTEMPTS_PROBES 5u /* google-auth pings three times, boto3 and the Azure SDK ask once */

struct attempts {
    bool is_root_fixed; /* the root is read-only: set before the first event */
    const char *target; /* of the first write; NULL: none */
    uint64_t write_at_us;
    uint32_t probes; /* refused connections to a metadata service */
    uint64_t probe_at_us;
    char address[WATCH_ADDRESS_MAX];
    bool has_asked_network; /* for a socket, where this level has no network */
    uint32_t socket_error;
    uint64_t socket_at_us;
    char write_detail[128], detail[160];
};

void attempts_see(struct attempts *a, const struct watch_event *e);
/* With the layer's name; NULL: there was none. Borrow from a. */
const char *attempts_write(struct attempts *a, uint64_t *ret_at_us);
const char *attempts_connect(struct attempts *a, enum metadata_intent intent, uint64_t *ret_at_us);
