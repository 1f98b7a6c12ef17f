/* Whatever the bytes: a request or a reply of sandbox-ledger unpacks and has been checked, or it is none; what unpacks
 * packs again to the same bytes. The first byte says what the rest is: 'q' a request, 'Q' edits (three bytes each:
 * where, where, what) to a valid one, chosen by the second byte; any other byte a reply to the request of that number.
 */
#include <stdio.h>
#include "store/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void edit(struct buf *b, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 3 <= size && b->size; i += 3)
        b->data[(data[i] | (size_t)data[i + 1] << 8) % b->size] = (char)data[i + 2];
    if (size % 3 == 1 && b->size) /* a byte left over cuts the end off */
        b->size -= MIN_OF(b->size, (size_t)data[size - 1]);
}

static void valid(struct buf *b, uint8_t kind)
{
    static const char hash[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    const struct reserve reserve = { .execution_id = "exec-1",
                                     .agent_id = "agent",
                                     .code_hash = hash,
                                     .language = "python",
                                     .level = 1,
                                     .now_ms = 1700000000000,
                                     .owner_pid = 77,
                                     .trust_seen = 500,
                                     .nonce = "n" };
    struct settle settle = { .execution_id = "exec-1",
                             .reason = 1,
                             .now_ms = 1700000000000,
                             .keeps_trust = true,
                             .trust = { .initial = 500, .max = 1000 },
                             .violation_count = 2 };
    struct refusal refusal = { .execution_id = "exec-2", .agent_id = "agent", .rule = "scan", .violation_count = 1 };
    const struct steer steer = {
        .verb = STEER_KEY, .agent_id = "agent", .reason = "r", .by = "uid 0", .public_key = hash
    };
    static const enum ledger_request small[] = { LEDGER_AGENT,   LEDGER_AGENTS,  LEDGER_HISTORY,
                                                 LEDGER_RECOVER, LEDGER_AUDITED, LEDGER_PRUNE,
                                                 LEDGER_ONCE,    LEDGER_KEYS,    LEDGER_KEY_REVOKE };
    const struct ledger_key key = { .id = "agent", .now_ms = 5, .window_ms = 6 };
    settle.violations[0] = refusal.violations[0] = (struct violation){ "blocked_module", "os", 3, 2 };
    settle.violations[1] = (struct violation){ "memory_limit", "", 4, 1 };
    const struct key_row row = {
        .id = "key-0123456789ab", .name = "ci", .hash = hash, .agents = "a1\na2", .levels = 3, .created_ms = 5
    };
    switch (kind % 6) {
    case 0:
        pack_ledger_request(b, LEDGER_RESERVE, &reserve);
        break;
    case 1:
        pack_ledger_request(b, LEDGER_SETTLE, &settle);
        break;
    case 2:
        pack_ledger_request(b, LEDGER_REFUSE, &refusal);
        break;
    case 3:
        pack_ledger_request(b, LEDGER_STEER, &steer);
        break;
    case 4:
        pack_ledger_request(b, LEDGER_KEY_ADD, &row);
        break;
    default:
        pack_ledger_request(b, small[kind / 6 % ARRAY_LEN(small)], &key);
        break;
    }
}

static void read_request(const char *data, size_t size)
{
    static union ledger_any_request request; /* large */
    uint64_t type;
    struct buf again;
    if (unpack_ledger_request(data, size, &type, &request) < 0)
        return;
    assert(ledger_form(type) && ledger_form(type)->is_request(&request));
    if (type == LEDGER_RESERVE) /* the least that a checked request promises */
        assert(agent_id_is_valid(request.reserve.agent_id) && request.reserve.level < RISK_COUNT &&
               request.reserve.trust_seen <= 1000);
    if (type == LEDGER_KEY_ADD)
        assert(request.key_row.role < KEY_ROLES && strlen(request.key_row.name) <= KEY_NAME_MAX &&
               !(request.key_row.levels >> RISK_COUNT));
    if (type == LEDGER_SETTLE)
        assert(request.settle.reason < REASON_COUNT && request.settle.violation_count <= STORE_MAX_VIOLATIONS);
    buf_init(&again, LEDGER_MAX_MESSAGE);
    pack_ledger_request(&again, (enum ledger_request)type, &request);
    assert(again.size == size && memcmp(again.data, data, size) == 0);
    buf_done(&again);
}

static void read_reply(enum ledger_request type, const char *data, size_t size)
{
    static union {
        struct agent_list agents;
        struct trust_history history;
        struct recovered_list recovered;
        struct settle_reply settle;
        struct limit_counts counts;
        struct key_list keys;
        struct usage_list usage;
    } reply;
    struct error err = { 0 };
    struct arena arena = { 0 };
    struct buf again;
    const struct ledger_form *f = ledger_form(type);
    int e = unpack_ledger_reply(data, size, type, &reply, &err);
    if (e < 0) {
        assert(err.code == e);
        return;
    }
    adopt_strings(f->reply, f->reply_count, &reply, &arena); /* the bytes may go, the reply stays */
    buf_init(&again, LEDGER_MAX_MESSAGE);
    pack_ledger_reply(&again, type, &reply);
    assert(again.size == size && memcmp(again.data, data, size) == 0);
    buf_done(&again);
    arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf b;
    if (size < 1 || size > LEDGER_MAX_MESSAGE)
        return 0;
    buf_init(&b, LEDGER_MAX_MESSAGE);
    if (data[0] == 'Q' && size > 1) {
        valid(&b, data[1]);
        edit(&b, data + 2, size - 2);
    } else {
        (void)buf_add(&b, data + 1, size - 1);
    }
    char *exact = malloc(b.size + 1); /* so that a sanitizer sees the first byte too many */
    if (!exact)
        abort();
    if (b.size)
        memcpy(exact, b.data, b.size);
    char *tight = realloc(exact, b.size ? b.size : 1);
    exact = tight ? tight : exact;
    if (data[0] == 'q' || data[0] == 'Q')
        read_request(exact, b.size);
    else
        read_reply((enum ledger_request)(1 + data[0] % (LEDGER_REQUESTS - 1)), exact, b.size);
    free(exact);
    buf_done(&b);
    return 0;
}
