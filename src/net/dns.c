#include "net/dns_wire.h"

#include <sys/socket.h>

#define CLASS_IN     1
#define EDE_OPTION   15 /* RFC 8914 */
#define EDE_FILTERED 17
#define WHY_MAX      200
#define OPT_BYTES    11 /* without words */

enum { /* the second 16 bits of a header */
       FLAG_ANSWER = 0x8000,
       FLAG_OPCODE = 0x7800,
       FLAG_TRUNCATED = 0x0200,
       FLAG_RECURSION_DESIRED = 0x0100,
       FLAG_RECURSION_AVAILABLE = 0x0080,
       FLAG_RCODE = 0x000f,
};

/* What rdata is made of: a digit is so many bytes, «x» 16, «n» a name, «s» strings up to the end, at least one. */
static const struct shape {
    uint16_t type;
    const char *parts;
} shapes[] = { { DNS_A, "4" },   { DNS_AAAA, "x" },   { DNS_CNAME, "n" },     { DNS_NS, "n" }, { DNS_PTR, "n" },
               { DNS_MX, "2n" }, { DNS_SRV, "222n" }, { DNS_SOA, "nn44444" }, { DNS_TXT, "s" } };

static const char *parts_of(uint16_t type)
{
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
        if (shapes[i].type == type)
            return shapes[i].parts;
    return NULL;
}

bool dns_is_known(uint16_t type)
{
    return parts_of(type) != NULL;
}

/* --- a program's question --- */

/* The one record that may follow a question: OPT. Its options (cookies, padding) are skipped: each is an offer, none a
 * demand. */
static int read_opt(struct dns_in *in, struct dns_query *q)
{
    uint8_t root = dns_get8(in);
    uint16_t type = dns_get16(in), udp_size = dns_get16(in);
    uint32_t flags = dns_get32(in);
    (void)dns_get_bytes(in, dns_get16(in));
    if (in->failed || root != 0 || type != DNS_OPT)
        return DNS_FORMERR;
    q->has_edns = true;
    q->udp_size = MAX_OF(udp_size, (uint16_t)512);
    return (flags >> 16 & 0xff) ? DNS_BADVERS : 0;
}

int dns_query_read(const uint8_t *data, size_t size, struct dns_query *ret)
{
    struct dns_in in = { data, size, 0, false };
    struct dns_query q = { .id = dns_get16(&in), .udp_size = 512 };
    uint16_t flags = dns_get16(&in), questions = dns_get16(&in), answers = dns_get16(&in), authorities = dns_get16(&in),
             others = dns_get16(&in);
    if (in.failed || (flags & FLAG_ANSWER))
        return -EBADMSG;
    q.recursion_desired = flags & FLAG_RECURSION_DESIRED;
    *ret = q;
    if (flags & FLAG_OPCODE)
        return DNS_NOTIMP;
    if (questions != 1 || answers || authorities || others > 1)
        return DNS_FORMERR;
    dns_get_name(&in, &q.question.name);
    q.question.type = dns_get16(&in);
    uint16_t class = dns_get16(&in);
    if (in.failed)
        return DNS_FORMERR;
    ret->question = q.question;
    int rcode = others ? read_opt(&in, ret) : 0;
    if (rcode == 0 && in.at != size)
        return DNS_FORMERR;
    return rcode ? rcode : class == CLASS_IN ? 0 : DNS_NOTIMP;
}

/* --- our question --- */

static void put_header(struct dns_out *out, uint16_t id, uint16_t flags, unsigned answers, bool has_question,
                       bool has_opt)
{
    dns_put16(out, id);
    dns_put16(out, flags);
    dns_put16(out, has_question);
    dns_put16(out, (uint16_t)answers);
    dns_put16(out, 0);
    dns_put16(out, has_opt);
}

static void put_question(struct dns_out *out, const struct dns_question *q)
{
    dns_put_bytes(out, q->name.wire, q->name.size);
    dns_put16(out, q->type);
    dns_put16(out, CLASS_IN);
}

/* why may be NULL */
static void put_opt(struct dns_out *out, uint8_t high_rcode, const char *why)
{
    size_t n = why ? MIN_OF(strlen(why), (size_t)WHY_MAX) : 0;
    dns_put8(out, 0);
    dns_put16(out, DNS_OPT);
    dns_put16(out, DNS_UDP_SIZE);
    dns_put32(out, (uint32_t)high_rcode << 24);
    dns_put16(out, (uint16_t)(n ? 6 + n : 0));
    if (!n)
        return;
    dns_put16(out, EDE_OPTION);
    dns_put16(out, (uint16_t)(2 + n));
    dns_put16(out, EDE_FILTERED);
    dns_put_bytes(out, why, n);
}

size_t dns_ask_write(const struct dns_ask *a, uint8_t out[static DNS_ASK_MAX])
{
    struct dns_out o = { out, DNS_ASK_MAX, 0, false };
    put_header(&o, a->id, FLAG_RECURSION_DESIRED, 0, true, a->has_edns);
    put_question(&o, &a->question);
    if (a->has_edns)
        put_opt(&o, 0, NULL);
    assert(!o.failed); /* 12 + 255 + 4 + 11 */
    return o.at;
}

/* --- a server's answer --- */

struct head { /* of a record */
    struct dns_name owner;
    uint16_t type, class, size;
    uint32_t ttl_s;
    size_t at; /* of its rdata */
};

static bool read_head(struct dns_in *in, struct head *ret)
{
    dns_get_name(in, &ret->owner);
    ret->type = dns_get16(in);
    ret->class = dns_get16(in);
    ret->ttl_s = dns_get32(in);
    if (ret->ttl_s > INT32_MAX)
        ret->ttl_s = 0; /* RFC 2181 */
    ret->size = dns_get16(in);
    ret->at = in->at;
    (void)dns_get_bytes(in, ret->size);
    return !in->failed;
}

static void copy_part(struct dns_in *in, char part, struct dns_out *out)
{
    struct dns_name name;
    size_t n = part == 'x' ? 16 : part == 's' ? in->size - in->at : (size_t)(part - '0');
    if (part == 'n') {
        dns_get_name(in, &name);
        dns_name_lower(&name);
        dns_put_bytes(out, name.wire, name.size);
        return;
    }
    if (part == 's') { /* each string's length must fit */
        struct dns_in check = *in;
        do
            (void)dns_get_bytes(&check, dns_get8(&check));
        while (!check.failed && check.at < check.size);
        in->failed = in->failed || check.failed;
    }
    const uint8_t *p = dns_get_bytes(in, n);
    if (p)
        dns_put_bytes(out, p, n);
}

/* Adds a record whose rdata is read by the shape of its type. False: damaged, or beyond the pool. */
static bool add_record(const struct dns_in *message, const struct head *h, struct dns_answer *a)
{
    struct dns_in in = { message->data, h->at + h->size, h->at, false }; /* pointers may go back to anywhere */
    struct dns_out out = { a->pool, DNS_POOL_MAX, a->used, false };
    if (a->count == DNS_RECORDS_MAX)
        return true;
    for (const char *part = parts_of(h->type); part && *part; part++)
        copy_part(&in, *part, &out);
    if (in.failed || in.at != in.size || out.failed)
        return false;
    a->records[a->count++] = (struct dns_record){ h->type, (uint16_t)(out.at - a->used), h->ttl_s, a->used };
    a->used = (uint32_t)out.at;
    return true;
}

/* The answer section: where it is, and how many records. */
struct section {
    struct dns_in in;
    uint16_t count;
};

/* Adds the records of one owner and type, at most `limit`. How many there were, or -EBADMSG. */
static int add_owned(const struct section *s, const struct dns_name *owner, uint16_t type, int limit,
                     struct dns_answer *a)
{
    struct dns_in in = s->in;
    struct head h;
    int found = 0;
    for (uint16_t i = 0; i < s->count && found < limit; i++) {
        if (!read_head(&in, &h))
            return -EBADMSG;
        if (h.type != type || h.class != CLASS_IN || !dns_name_equal(&h.owner, owner))
            continue;
        if (!add_record(&s->in, &h, a))
            return -EBADMSG;
        found++;
    }
    return found;
}

/* Follows the CNAMEs, then takes the records at their end. Whatever else a server puts there answers no question. */
static int read_records(const struct section *s, const struct dns_question *q, struct dns_answer *a)
{
    struct dns_name owner = q->name;
    int n = q->type == DNS_CNAME ? 0 : 1;
    while (n == 1) {
        n = add_owned(s, &owner, DNS_CNAME, 1, a);
        if (n < 0 || (n == 1 && a->chain == DNS_CHAIN_MAX))
            return -EBADMSG; /* a loop, too */
        if (n == 1)
            owner = dns_record_target(a, a->chain++);
    }
    n = add_owned(s, &owner, q->type, INT32_MAX, a);
    return n < 0 ? n : 0;
}

/* How long a «no» holds: the smaller of the SOA's own TTL and its last number (RFC 2308). */
static uint32_t negative_ttl(const struct dns_in *message, const struct head *h)
{
    const uint8_t *p = message->data + h->at + h->size - 4;
    if (h->type != DNS_SOA || h->size < 22)
        return 0;
    struct dns_in last = { p, 4, 0, false };
    uint32_t minimum = dns_get32(&last);
    return MIN_OF(h->ttl_s, minimum);
}

/* Goes over all records, those that are not needed included: the end of the message must be the end of the data. */
static int walk(struct dns_in *in, unsigned authorities, unsigned rest, struct dns_answer *a)
{
    struct head h;
    for (unsigned i = 0; i < authorities + rest; i++) {
        if (!read_head(in, &h))
            return -EBADMSG;
        if (i < authorities && !a->negative_ttl_s)
            a->negative_ttl_s = negative_ttl(in, &h);
    }
    return in->at == in->size ? 0 : -EBADMSG;
}

/* Is this the question that we sent? */
static int check_question(struct dns_in *in, const struct dns_question *sent)
{
    struct dns_question q;
    dns_get_name(in, &q.name);
    q.type = dns_get16(in);
    if (dns_get16(in) != CLASS_IN || in->failed || q.type != sent->type || !dns_name_equal(&q.name, &sent->name))
        return -EAGAIN;
    return memcmp(q.name.wire, sent->name.wire, q.name.size) == 0 ? 0 : -EPROTO;
}

int dns_answer_read(const uint8_t *data, size_t size, const struct dns_ask *sent, struct dns_answer *ret)
{
    struct dns_in in = { data, size, 0, false };
    uint16_t id = dns_get16(&in), flags = dns_get16(&in), questions = dns_get16(&in);
    uint16_t answers = dns_get16(&in), authorities = dns_get16(&in), others = dns_get16(&in);
    if (in.failed || id != sent->id || !(flags & FLAG_ANSWER) || (flags & FLAG_OPCODE))
        return -EAGAIN;
    dns_answer_clear(ret, flags & FLAG_RCODE);
    if (questions == 0 && ret->rcode == DNS_FORMERR)
        return 0; /* a server that knows no EDNS may say so without our question */
    int r = questions == 1 ? check_question(&in, &sent->question) : -EAGAIN;
    if (r < 0)
        return r;
    if (flags & FLAG_TRUNCATED)
        return -EMSGSIZE;
    struct section section = { in, answers };
    r = read_records(&section, &sent->question, ret);
    for (unsigned i = 0; r == 0 && i < answers; i++) {
        struct head h;
        r = read_head(&in, &h) ? 0 : -EBADMSG;
    }
    return r < 0 ? r : walk(&in, authorities, others, ret);
}

/* --- answers as values --- */

void dns_answer_clear(struct dns_answer *a, uint8_t rcode)
{
    a->rcode = rcode;
    a->chain = 0;
    a->count = 0;
    a->negative_ttl_s = 0;
    a->used = 0;
}

void dns_answer_add_address(struct dns_answer *a, const struct net_address *address, uint32_t ttl_s)
{
    bool is_4 = address->family == AF_INET;
    uint16_t size = is_4 ? 4 : 16;
    if (a->count == DNS_RECORDS_MAX || size > DNS_POOL_MAX - a->used)
        return;
    memcpy(a->pool + a->used, address->bytes, size);
    a->records[a->count++] = (struct dns_record){ is_4 ? DNS_A : DNS_AAAA, size, ttl_s, a->used };
    a->used += size;
}

bool dns_record_address(const struct dns_answer *a, size_t i, struct net_address *ret)
{
    const struct dns_record *r = &a->records[i];
    if (r->type != DNS_A && r->type != DNS_AAAA)
        return false;
    *ret = net_address_from(r->type == DNS_A ? AF_INET : AF_INET6, a->pool + r->at);
    return true;
}

struct dns_name dns_record_target(const struct dns_answer *a, size_t i)
{
    struct dns_name n = { .size = (uint8_t)a->records[i].size };
    assert(a->records[i].type == DNS_CNAME && a->records[i].size <= DNS_NAME_MAX);
    memcpy(n.wire, a->pool + a->records[i].at, n.size);
    return n;
}

void dns_answer_keep(struct dns_answer *a, const bool keep[static DNS_RECORDS_MAX])
{
    uint16_t count = 0;
    for (uint16_t i = 0; i < a->count; i++)
        if (keep[i])
            a->records[count++] = a->records[i];
    a->count = count;
}

uint32_t dns_answer_ttl(const struct dns_answer *a)
{
    uint32_t ttl = a->count > a->chain ? UINT32_MAX : a->negative_ttl_s;
    for (uint16_t i = 0; i < a->count; i++)
        ttl = MIN_OF(ttl, a->records[i].ttl_s);
    return ttl;
}

void dns_answer_age(struct dns_answer *a, uint32_t seconds)
{
    for (uint16_t i = 0; i < a->count; i++)
        a->records[i].ttl_s -= MIN_OF(a->records[i].ttl_s, seconds);
    a->negative_ttl_s -= MIN_OF(a->negative_ttl_s, seconds);
}

/* --- the answer for a program --- */

static void put_record(struct dns_out *out, const struct dns_answer *a, size_t i, uint16_t owner)
{
    const struct dns_record *r = &a->records[i];
    dns_put16(out, owner);
    dns_put16(out, r->type);
    dns_put16(out, CLASS_IN);
    dns_put32(out, r->ttl_s);
    dns_put16(out, r->size);
    dns_put_bytes(out, a->pool + r->at, r->size);
}

/* As many as leave spare bytes. How many. */
static uint16_t put_records(struct dns_out *out, const struct dns_answer *a, size_t spare)
{
    uint16_t owner = 0xc000 | 12; /* the question's name */
    for (uint16_t i = 0; i < a->count; i++) {
        struct dns_out before = *out;
        put_record(out, a, i, owner);
        if (out->failed || out->at + spare > out->max) {
            *out = before;
            return i;
        }
        if (i < a->chain)
            owner = (uint16_t)(0xc000 | (out->at - a->records[i].size));
    }
    return a->count;
}

size_t dns_answer_write(const struct dns_query *q, const struct dns_answer *a, const char *why, bool is_udp,
                        uint8_t *out, size_t max)
{
    uint16_t flags = (uint16_t)(FLAG_ANSWER | FLAG_RECURSION_AVAILABLE |
                                (q->recursion_desired ? FLAG_RECURSION_DESIRED : 0) | (a->rcode & FLAG_RCODE));
    bool has_question = q->question.name.size > 0;
    struct dns_out o = { out, is_udp ? MIN_OF(max, (size_t)q->udp_size) : max, 0, false }, head = o;
    put_header(&o, q->id, flags, 0, has_question, q->has_edns);
    if (has_question)
        put_question(&o, &q->question);
    uint16_t count = put_records(&o, a, q->has_edns ? OPT_BYTES : 0);
    if (count < a->count)
        flags |= FLAG_TRUNCATED;
    put_header(&head, q->id, flags, count, has_question, q->has_edns);
    struct dns_out before = o;
    if (q->has_edns)
        put_opt(&o, (uint8_t)(a->rcode >> 4), why);
    if (o.failed) { /* words are what can be left out */
        o = before;
        put_opt(&o, (uint8_t)(a->rcode >> 4), NULL);
    }
    assert(!o.failed); /* 12 + 259 + 11 bytes fit into 512 */
    return o.at;
}
