/* keys.c - the command `keys`: who may call the service. Works on the store itself, whether or not a service runs: one
 * that does sees it with its next request.
 *
 * An act is written into the audit before it is done; when that fails, it is not done. The token goes to stdout, once,
 * and nowhere else.
 */
#include <stdio.h>

#include "audit/hmac.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/parse.h"
#include "cli/cmd.h"
#include "cli/records.h"
#include "run/ledger.h"
#include "run/trail.h"

#define LIST_MAX (4 * MIB)

struct call {
    const struct paths *paths;
    struct arena *arena;
    const char *name, *role, *expires, *config, *verb, *which;
    struct strlist agents, levels;
    bool json, may_override;
    struct records where;
    struct store ledger;
    bool is_new_place; /* there is no database, and looking makes none */
    uint64_t now_ms;
    struct buf out;
};

/* --- words ------------------------------------------------------------------------------------------ */

static int bad(struct error *err, const char *remedy, const char *fmt, const char *value)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, fmt, value);
    return err_remedy(err, "%s", remedy);
}

/* How long from now: 90m 12h 30d 2w. */
static int read_expiry(const char *text, uint64_t now_ms, uint64_t *ret_ms, struct error *err)
{
    static const struct {
        char letter;
        uint64_t ms;
    } units[] = { { 'm', 60000 }, { 'h', 3600000 }, { 'd', 86400000 }, { 'w', 604800000 } };
    char number[8];
    uint64_t n;
    size_t size = strlen(text);
    (void)snprintf(number, sizeof number, "%.*s", (int)(size ? size - 1 : 0), text);
    for (size_t i = 0; i < ARRAY_LEN(units) && size && size <= sizeof number; i++)
        if (text[size - 1] == units[i].letter && parse_u64(number, &n) == 0 && n) {
            *ret_ms = now_ms + n * units[i].ms;
            return 0;
        }
    return bad(err, "without --expires a key is good until it is revoked",
               "--expires %s: accepted is how long from now: 90m 12h 30d 2w", text);
}

static int read_role(const char *text, uint8_t *ret, struct error *err)
{
    for (uint8_t i = 0; i < KEY_ROLES; i++)
        if (str_eq(text, key_role_names[i])) {
            *ret = i;
            return 0;
        }
    return bad(err, "run executes code, read looks, admin may do everything",
               "--role %s: accepted are run, read and admin", text);
}

static int read_levels(const struct strlist *l, uint32_t *ret, struct error *err)
{
    *ret = 0;
    STRLIST_FOREACH(word, l)
    {
        int level = risk_level_find(word);
        if (level < 0)
            return bad(err, "give --level once for each level that the key is good for",
                       "--level %s: accepted are low, medium and high", word);
        *ret |= 1u << level;
    }
    return 0;
}

static const char *join(struct arena *a, const struct strlist *l)
{
    const char *all = "";
    STRLIST_FOREACH(word, l)
    all = *all ? arena_printf(a, "%s\n%s", all, word) : word;
    return all;
}

/* --- place ------------------------------------------------------------------------------------------ */

static int start(struct call *s, bool may_make, struct error *err)
{
    int e = ledger_start(s->paths, &s->where.policy.config, may_make, s->arena, &s->ledger, err);
    s->is_new_place = e == 0 && !store_is_open(&s->ledger);
    return e;
}

static int audit(struct call *s, const char *action, const struct key_row *k, const char *text, struct error *err)
{
    struct buf b;
    buf_init(&b, 32 * KIB);
    json_key(&b, "key");
    key_row_json(&b, k, NULL);
    const char *detail = b.failed ? NULL : arena_copy(s->arena, b.data);
    buf_done(&b);
    return trail_admin(s->paths, &s->where.policy.config, s->arena, action, NULL, text, detail, err);
}

static int get(struct call *s, struct key_list **ret, struct error *err)
{
    *ret = calloc(1, sizeof **ret);
    if (!*ret)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    return s->is_new_place ? 0 : store_keys(&s->ledger, *ret, err);
}

/* --- create ----------------------------------------------------------------------------------------- */

static int fill(struct call *s, const struct access_key *key, struct key_row *ret, struct error *err)
{
    if (!s->name)
        return bad(err, "call it after who will use it: --name ci", "%s", "keys create: --name is missing");
    *ret = (struct key_row){ .id = key->id,
                             .name = s->name,
                             .hash = key->hash,
                             .role = KEY_RUN,
                             .agents = join(s->arena, &s->agents),
                             .allow_risk_override = s->may_override,
                             .created_ms = s->now_ms };
    int e = s->role ? read_role(s->role, &ret->role, err) : 0;
    if (e == 0)
        e = read_levels(&s->levels, &ret->levels, err);
    if (e == 0 && s->expires)
        e = read_expiry(s->expires, s->now_ms, &ret->expires_ms, err);
    return e < 0 ? e : key_row_check(ret, err);
}

static int create(struct call *s, struct access_key *key, struct error *err)
{
    struct key_row row;
    char until[32];
    int e = access_key_make(key);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, NULL, "random numbers: %s", strerror(-e));
    e = fill(s, key, &row, err);
    if (e == 0)
        e = start(s, true, err);
    if (e == 0)
        e = audit(s, "key-created", &row, arena_printf(s->arena, "key %s (%s) was created", row.name, row.id), err);
    if (e < 0)
        return e;
    e = store_key_add(&s->ledger, &row, err);
    if (e < 0) {
        (void)audit(s, "key-change-failed", &row, err->text, NULL);
        return e;
    }
    if (s->json)
        key_row_json(&s->out, &row, key->token);
    else
        (void)buf_adds(&s->out, key->token);
    (void)buf_adds(&s->out, "\n");
    (void)fprintf(stderr, "sandbox-agent: key %s, role %s, good until %s: its token is shown only now\n", key->id,
                  key_role_names[row.role], *key_time(row.expires_ms, until) ? until : "it is revoked");
    return 0;
}

/* --- list ------------------------------------------------------------------------------------------- */

static const char *standing_of(const struct key_row *k, uint64_t now_ms)
{
    return k->revoked_ms ? "revoked" : key_row_is_good(k, now_ms) ? "good" : "expired";
}

static void print_bindings(struct buf *b, const struct key_row *k)
{
    for (const char *p = k->agents; *p;) {
        size_t n = strcspn(p, "\n");
        (void)buf_addf(b, "  agent=%.*s", (int)n, p);
        p += n + (p[n] == '\n');
    }
    for (unsigned i = 0; i < RISK_COUNT; i++)
        if (k->levels & 1u << i)
            (void)buf_addf(b, "  level=%s", risk_level_names[i]);
}

static void print_key(struct call *s, const struct key_row *k)
{
    char created[32], expires[32], used[32];
    (void)buf_addf(&s->out, "%-16s  %-5s  %-7s  %-20s  %-20s  %-20s  %s", k->id, key_role_names[k->role],
                   standing_of(k, s->now_ms), key_time(k->created_ms, created),
                   *key_time(k->expires_ms, expires) ? expires : "never",
                   *key_time(k->last_used_ms, used) ? used : "never", k->name);
    print_bindings(&s->out, k);
    (void)buf_addc(&s->out, '\n');
}

static int list(struct call *s, struct error *err)
{
    cleanup(freep) struct key_list *l = NULL;
    int e = start(s, false, err);
    if (e == 0)
        e = get(s, &l, err);
    if (e < 0)
        return e;
    assert(l); /* get() has it, or failed */
    if (s->json) {
        json_open(&s->out, '{');
        json_key(&s->out, "keys");
        json_open(&s->out, '[');
        for (uint32_t i = 0; i < l->count; i++)
            key_row_json(&s->out, &l->keys[i], NULL);
        json_close(&s->out, ']');
        json_close(&s->out, '}');
        return buf_addc(&s->out, '\n');
    }
    if (l->count)
        (void)buf_addf(&s->out, "%-16s  %-5s  %-7s  %-20s  %-20s  %-20s  %s\n", "ID", "ROLE", "STATE", "CREATED",
                       "EXPIRES", "LAST USED", "NAME");
    for (uint32_t i = 0; i < l->count; i++)
        print_key(s, &l->keys[i]);
    return l->count ? 0 : buf_adds(&s->out, "there are no keys\n");
}

/* --- revoke ----------------------------------------------------------------------------------------- */

static struct key_row *find(struct key_list *l, const char *which)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (!l->keys[i].revoked_ms && (str_eq(l->keys[i].id, which) || str_eq(l->keys[i].name, which)))
            return &l->keys[i];
    return NULL;
}

static bool has_admin(const struct key_list *l, uint64_t now_ms)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->keys[i].role == KEY_ADMIN && key_row_is_good(&l->keys[i], now_ms))
            return true;
    return false;
}

static int revoke_key(struct call *s, struct error *err)
{
    cleanup(freep) struct key_list *l = NULL;
    if (!s->which)
        return bad(err, "sandbox-agent keys list shows them", "%s",
                   "keys revoke: which key? Its id or its name is missing");
    int e = start(s, false, err);
    if (e == 0)
        e = get(s, &l, err);
    if (e < 0)
        return e;
    assert(l);
    struct key_row *k = find(l, s->which);
    if (!k)
        return bad(err, "sandbox-agent keys list shows them", "no key that is not revoked has the id or name %s",
                   s->which);
    k->revoked_ms = s->now_ms;
    e = audit(s, "key-revoked", k, arena_printf(s->arena, "key %s (%s) was revoked", k->name, k->id), err);
    if (e < 0)
        return e;
    e = store_key_revoke(&s->ledger, k->id, s->now_ms, err);
    if (e < 0) {
        (void)audit(s, "key-change-failed", k, err->text, NULL);
        return e;
    }
    if (k->role == KEY_ADMIN && !has_admin(l, s->now_ms))
        (void)fprintf(stderr, "sandbox-agent: no key with the role admin is left; sandbox-agent keys create --role "
                              "admin --name NAME makes one\n");
    if (s->json)
        key_row_json(&s->out, k, NULL), (void)buf_adds(&s->out, "\n");
    else
        (void)buf_addf(&s->out, "revoked %s %s\n", k->id, k->name);
    return 0;
}

/* --- the command ------------------------------------------------------------------------------------ */

static int parse(struct call *s, int argc, char **argv, struct error *err)
{
    const char *rest[2] = { NULL, NULL };
    size_t count = 0;
    const struct word words[] = { { "--name", &s->name, NULL, NULL },
                                  { "--role", &s->role, NULL, NULL },
                                  { "--agent", NULL, NULL, &s->agents },
                                  { "--level", NULL, NULL, &s->levels },
                                  { "--expires", &s->expires, NULL, NULL },
                                  { "--config", &s->config, NULL, NULL },
                                  { "--json", NULL, &s->json, NULL },
                                  { "--allow-risk-override", NULL, &s->may_override, NULL },
                                  { 0 } };
    int e = words_parse(argc, argv, words, rest, ARRAY_LEN(rest), &count, err);
    s->verb = rest[0] ? rest[0] : "";
    s->which = rest[1];
    bool is_create = str_eq(s->verb, "create"),
         is_known = is_create || str_eq(s->verb, "list") || str_eq(s->verb, "revoke");
    if (e == 0 && !is_known)
        e = bad(err, "see sandbox-agent keys --help", "keys %s: accepted are create, list and revoke", s->verb);
    if (e == 0 && s->which && !str_eq(s->verb, "revoke"))
        e = bad(err, is_create ? "the name is given with --name" : "see sandbox-agent keys --help",
                "keys: unexpected word %s", s->which);
    if (e == 0 && !is_create &&
        (s->name || s->role || s->expires || s->agents.count || s->levels.count || s->may_override))
        e = bad(err, "see sandbox-agent keys --help",
                "keys %s: --name, --role, --agent, --level and --expires are for create", s->verb);
    return e;
}

static int act(struct call *s, struct access_key *key, struct error *err)
{
    int e = records_find(s->paths, s->config, s->arena, &s->where, err);
    if (e == 0)
        e = str_eq(s->verb, "create") ? create(s, key, err)
            : str_eq(s->verb, "list") ? list(s, err)
                                      : revoke_key(s, err);
    if (e == 0 && s->out.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for the answer");
    return e;
}

int cmd_keys(const struct paths *p, struct arena *a, int argc, char **argv)
{
    struct error err = { 0 };
    struct access_key key = { 0 };
    struct call s = { .paths = p, .arena = a, .now_ms = wall_clock_ms() };
    buf_init(&s.out, LIST_MAX);
    int e = parse(&s, argc, argv, &err);
    if (e == 0)
        e = act(&s, &key, &err);
    int code = e < 0 ? records_fail(&err) : 0;
    if (e == 0) {
        (void)fwrite(s.out.data, 1, s.out.size, stdout);
        code = output_end(0);
    }
    if (code == 125 && key.token[0])
        (void)fprintf(stderr, "sandbox-agent: the token of key %s was not written: revoke it\n", key.id);
    secret_wipe(&key, sizeof key);
    if (s.out.data)
        secret_wipe(s.out.data, s.out.size);
    buf_done(&s.out);
    (void)store_close(&s.ledger);
    strlist_done(&s.agents);
    strlist_done(&s.levels);
    if (s.where.policy.blob)
        compiled_done(&s.where.policy);
    return code;
}
