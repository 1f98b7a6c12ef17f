/* body.h - a JSON object that a client sent: parsed once, strictly, into typed values.
 *
 * Strict: UTF-8, no duplicate members, no NUL in texts, at most BODY_MAX_DEPTH deep, nothing behind the value. Every
 * member must be asked for by the handler: body_end() refuses the first unknown one, with the nearest known name.
 * Errors are BLAME_CALLER and name the member and what is accepted; the first one is kept, later calls do nothing, so a
 * handler checks once.
 */
#pragma once
#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"

#define BODY_MAX_DEPTH 16

struct body;
enum body_kind { BODY_ABSENT, BODY_NULL, BODY_TEXT, BODY_INTEGER, BODY_REAL, BODY_BOOL, BODY_LIST, BODY_OBJECT };
/* data must live until body_free(). An empty body is an empty object where may_be_empty. */
int body_parse(const char *data, size_t size, bool may_be_empty, struct body **ret, struct error *err);
/* The same, and *ret_kind is what came: BODY_ABSENT where it is no JSON, or more of it than is read. */
int body_parse_kind(const char *data, size_t size, enum body_kind *ret_kind, struct body **ret, struct error *err);
/* An answer of this service's, for its fronts: a kernel's results may be deeper, and there may be more of them. */
int body_parse_own(const char *data, size_t size, struct body **ret, struct error *err);
struct body *body_free(struct body *b); /* accepts NULL, returns NULL */

bool body_has(struct body *b, const char *name); /* there and not null; counts as asked for */
/* What stands there; counts as asked for. */
enum body_kind body_kind(struct body *b, const char *name);
/* The member as JSON, appended; nothing where it is not there or null. */
void body_json(struct body *b, const char *name, struct buf *out);
/* Borrowed from b. NULL, or the preset, when it is not there or null. max: bytes. */
const char *body_text(struct body *b, const char *name, size_t max);
/* If it is one; else NULL, and no error. b may be NULL. */
const char *body_text_if(struct body *b, const char *name);
/* The same, of bytes: NUL is allowed. */
const char *body_bytes(struct body *b, const char *name, size_t max, size_t *ret_size);
bool body_bool(struct body *b, const char *name, bool preset);
uint64_t body_uint(struct body *b, const char *name, uint64_t max, uint64_t preset);
/* A number (also a fraction) or a text: as text, for values that have words of their own ("512m", 0.5). */
const char *body_scalar(struct body *b, const char *name, size_t max);
/* One of the names (NULL-terminated): its index, or -1 when it is not there. */
int body_choice(struct body *b, const char *name, const char *const *names);
/* List of texts. */
void body_texts(struct body *b, const char *name, struct strlist *ret, size_t max_each, uint32_t max_count);
/* Object of texts: name=value each. */
void body_pairs(struct body *b, const char *name, struct strlist *ret, size_t max_each, uint32_t max_count);
/* Object of texts, as they are: calls each() with every member, until it says false. */
void body_each(struct body *b, const char *name, size_t max_each, uint32_t max_count,
               bool (*each)(void *context, const char *key, const char *text, size_t size), void *context);
/* An object within, to be ended by itself (body_end); or NULL. Belongs to b, and so do its errors. */
struct body *body_object(struct body *b, const char *name);
/* The same for a client that knows no object around it: errors name its members alone. */
struct body *body_object_alone(struct body *b, const char *name);
/* If it is one; else NULL, and no error. b may be NULL. */
struct body *body_object_if(struct body *b, const char *name);
/* A list of objects: how many, and each. */
uint32_t body_objects(struct body *b, const char *name, uint32_t max_count);
struct body *body_object_at(struct body *b, const char *name, uint32_t index);

/* Says no for a reason of the handler's own: names the member. */
int body_refuse(struct body *b, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* An error that names the member itself. */
void body_fail(struct body *b, const struct error *why);
/* Unknown members; then the first error, if there was one. 0 or negative. */
int body_end(struct body *b, struct error *err);
/* The same, but unknown members are ignored. */
int body_end_open(struct body *b, struct error *err);
