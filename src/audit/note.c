#include "audit/note.h"

#include <fcntl.h>
#include <stdio.h>
#include "audit/chain.h"
#include "audit/dir.h"
#include "audit/hmac.h"
#include "base/parse.h"

#define DASH          "\xe2\x80\x94 " /* em dash and a space */
#define TAGGED_MAX    (4u + 8u + 64u)
#define MAX_LINES     32u
#define NAME_OF_A_LOG "sandbox-agent/audit/"

bool note_name_is_valid(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++) /* a narrower alphabet than C2SP's */
        if (name[i] <= ' ' || name[i] == '+' || (unsigned char)name[i] >= 0x7f)
            return false;
    return n > 0 && n < NOTE_NAME_MAX;
}

void note_log_key(const uint8_t public[static 32], struct note_key *ret)
{
    char hex[65];
    *ret = (struct note_key){ .algorithm = NOTE_LOG };
    memcpy(ret->public, public, 32);
    hex_write(public, 32, hex);
    (void)snprintf(ret->name, sizeof ret->name, NAME_OF_A_LOG "%.16s", hex);
}

static void key_id(const struct note_key *k, uint8_t ret[static 4])
{
    uint8_t text[NOTE_NAME_MAX + 2 + 32], hash[32];
    size_t n = strlen(k->name);
    memcpy(text, k->name, n);
    text[n] = '\n';
    text[n + 1] = k->algorithm;
    memcpy(text + n + 2, k->public, 32);
    sha256(text, n + 2 + 32, hash);
    memcpy(ret, hash, 4);
}

void note_key_write(const struct note_key *k, char out[static NOTE_VKEY_MAX])
{
    uint8_t id[4], tagged[33] = { k->algorithm };
    struct buf b;
    key_id(k, id);
    memcpy(tagged + 1, k->public, 32);
    buf_init(&b, NOTE_VKEY_MAX);
    (void)buf_addf(&b, "%s+%02x%02x%02x%02x+", k->name, id[0], id[1], id[2], id[3]);
    base64_write(&b, tagged, sizeof tagged);
    (void)snprintf(out, NOTE_VKEY_MAX, "%s", b.data ? b.data : "");
    buf_done(&b);
}

int note_key_read(const char *text, struct note_key *ret)
{
    struct note_key k = { 0 };
    const char *plus = strchr(text, '+'), *second = plus ? strchr(plus + 1, '+') : NULL;
    uint8_t id[4], expected[4], tagged[64];
    size_t n = 0;
    if (!second || (size_t)(plus - text) >= sizeof k.name || second - plus != 9 || hex_read(plus + 1, id, 4) < 0)
        return -EINVAL;
    memcpy(k.name, text, (size_t)(plus - text));
    if (strlen(second + 1) > sizeof tagged || base64_read(second + 1, strlen(second + 1), tagged, &n) < 0 || n != 33)
        return -EINVAL;
    k.algorithm = tagged[0];
    memcpy(k.public, tagged + 1, 32);
    key_id(&k, expected);
    if (!note_name_is_valid(k.name) || memcmp(id, expected, 4) != 0 ||
        (k.algorithm != NOTE_LOG && k.algorithm != NOTE_WITNESS))
        return -EINVAL;
    *ret = k;
    return 0;
}

/* --- the text --------------------------------------------------------------------------------------- */

void checkpoint_write(const struct checkpoint *c, struct buf *out)
{
    (void)buf_addf(out, "%s\n%llu\n", c->origin, (unsigned long long)c->size);
    base64_write(out, c->root.bytes, sizeof c->root.bytes);
    (void)buf_adds(out, "\n\n");
}

static bool take_line(const char **at, const char *end, char *to, size_t max)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    size_t n = newline ? (size_t)(newline - *at) : max;
    if (n >= max)
        return false;
    memcpy(to, *at, n);
    to[n] = '\0';
    *at = newline + 1;
    return strlen(to) == n;
}

bool checkpoint_read(const char *note, size_t size, struct checkpoint *ret)
{
    char number[24], root[64];
    uint8_t bytes[64];
    size_t n = 0;
    const char *at = note, *end = note + size, *empty = size <= NOTE_MAX_BYTES ? memmem(note, size, "\n\n", 2) : NULL;
    *ret = (struct checkpoint){ 0 };
    if (!empty || !take_line(&at, end, ret->origin, sizeof ret->origin) ||
        !take_line(&at, end, number, sizeof number) || !take_line(&at, end, root, sizeof root) || at > empty + 1)
        return false;
    if (!note_name_is_valid(ret->origin) || parse_u64(number, &ret->size) < 0 || (number[0] == '0' && number[1]) ||
        base64_read(root, strlen(root), bytes, &n) < 0 || n != sizeof ret->root.bytes)
        return false;
    memcpy(ret->root.bytes, bytes, n);
    ret->text_size = (size_t)(empty + 1 - note);
    return true;
}

/* --- signatures --------------------------------------------------------------------------------------- */

static void signed_text(const struct note_key *k, const char *note, size_t text_size, uint64_t seconds, struct buf *out)
{
    buf_init(out, NOTE_MAX_BYTES + 64);
    if (k->algorithm == NOTE_WITNESS)
        (void)buf_addf(out, "cosignature/v1\ntime %llu\n", (unsigned long long)seconds);
    (void)buf_add(out, note, text_size);
}

void note_sign(struct buf *note, const struct note_key *name, const struct audit_key *key, uint64_t seconds)
{
    struct checkpoint c;
    struct buf text;
    char hex[129];
    uint8_t tagged[TAGGED_MAX];
    size_t n = 4;
    if (!checkpoint_read(note->data ? note->data : "", note->size, &c)) {
        note->failed = true;
        return;
    }
    signed_text(name, note->data, c.text_size, seconds, &text);
    key_sign(key, text.data, text.size, hex);
    buf_done(&text);
    key_id(name, tagged);
    if (name->algorithm == NOTE_WITNESS)
        for (int shift = 56; shift >= 0; shift -= 8)
            tagged[n++] = (uint8_t)(seconds >> shift);
    (void)hex_read(hex, tagged + n, 64); /* our own digits */
    (void)buf_addf(note, DASH "%s ", name->name);
    base64_write(note, tagged, n + 64);
    (void)buf_addc(note, '\n');
}

/* One line behind the dash: «NAME BASE64». */
static bool is_good(const char *line, size_t size, const struct note_key *k, const char *note, size_t text_size,
                    uint64_t *ret_seconds)
{
    const size_t name = strlen(k->name), head = k->algorithm == NOTE_WITNESS ? 12 : 4;
    uint8_t tagged[2 * TAGGED_MAX], id[4];
    uint64_t seconds = 0;
    char hex[129];
    struct buf text;
    size_t n = 0;
    if (size <= name + 1 || memcmp(line, k->name, name) != 0 || line[name] != ' ' || size - name - 1 > sizeof tagged ||
        base64_read(line + name + 1, size - name - 1, tagged, &n) < 0 || n != head + 64)
        return false;
    key_id(k, id);
    if (memcmp(tagged, id, 4) != 0)
        return false;
    for (size_t i = 4; i < head; i++)
        seconds = seconds << 8 | tagged[i];
    hex_write(tagged + head, 64, hex);
    signed_text(k, note, text_size, seconds, &text);
    bool good = key_verify(k->public, text.data, text.size, hex);
    buf_done(&text);
    if (good && ret_seconds)
        *ret_seconds = seconds;
    return good;
}

bool note_is_signed(const char *note, size_t size, const struct note_key *key, uint64_t *ret_seconds)
{
    struct checkpoint c;
    const size_t dash = sizeof DASH - 1;
    if (!checkpoint_read(note, size, &c))
        return false;
    const char *at = note + c.text_size + 1, *end = note + size;
    for (unsigned i = 0; at < end && i < MAX_LINES; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            return false; /* every line has its end */
        size_t n = (size_t)(newline - at);
        if (n > dash && memcmp(at, DASH, dash) == 0 &&
            is_good(at + dash, n - dash, key, note, c.text_size, ret_seconds))
            return true;
        at = newline + 1;
    }
    return false;
}

bool checkpoint_is_of(const char *note, size_t size, const uint8_t log[static 32], struct checkpoint *ret)
{
    struct note_key key;
    note_log_key(log, &key);
    return checkpoint_read(note, size, ret) && str_eq(ret->origin, key.name) && note_is_signed(note, size, &key, NULL);
}

bool note_read_proof(const char *text, size_t size, struct tree_proof *ret)
{
    const char *at = text, *end = size ? text + size : text;
    for (*ret = (struct tree_proof){ 0 }; at < end; at += 45) {
        uint8_t bytes[44];
        size_t n = 0;
        if (end - at < 45 || at[44] != '\n' || ret->count == TREE_PROOF_MAX || base64_read(at, 44, bytes, &n) < 0 ||
            n != 32)
            return false;
        memcpy(ret->list[ret->count++].bytes, bytes, 32);
    }
    return true;
}

/* --- ours, now ---------------------------------------------------------------------------------------- */

/* For people, and for a backup: the last one that was made lies beside the chain. */
static void keep_beside(const char *dir, const struct buf *note)
{
    char aside[48];
    cleanup(closep) int d = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d < 0)
        return;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(d);
    (void)snprintf(aside, sizeof aside, "audit.checkpoint.%d", (int)getpid());
    (void)unlinkat(d, aside, 0); /* of a namesake that died here */
    cleanup(closep) int fd = openat(d, aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 &&
        (write(fd, note->data, note->size) != (ssize_t)note->size || renameat(d, aside, d, "audit.checkpoint") < 0))
        (void)unlinkat(d, aside, 0);
}

int note_now(const char *dir, const char *state_dir, struct checkpoint *ret, struct buf *ret_note, int *ret_tree,
             struct error *err)
{
    struct audit_key key;
    struct note_key name;
    cleanup(closep) int tree = -1;
    cleanup(closep) int state = open(state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *ret = (struct checkpoint){ 0 };
    *ret_note = (struct buf){ 0 };
    int e = state < 0 ? err_set(err, -errno, BLAME_HOST, "AUDIT", "%s: %m", state_dir)
                      : tree_update(dir, &tree, &ret->size, err);
    if (e == 0 && (e = tree_root(tree, ret->size, &ret->root)) < 0)
        (void)err_set(err, e, BLAME_HOST, "AUDIT", "audit.tree in %s: %s", dir, strerror(-e));
    if (e == 0)
        e = key_load(state, state_dir, &key, err);
    if (e < 0)
        return e;
    note_log_key(key.public, &name);
    (void)snprintf(ret->origin, sizeof ret->origin, "%s", name.name);
    buf_init(ret_note, NOTE_MAX_BYTES);
    checkpoint_write(ret, ret_note);
    note_sign(ret_note, &name, &key, 0);
    key_done(&key);
    keep_beside(dir, ret_note);
    if (ret_tree)
        *ret_tree = TAKE_FD(tree);
    return 0;
}
