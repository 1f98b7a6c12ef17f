#include "net/dns_wire.h"

const uint8_t *dns_get_bytes(struct dns_in *in, size_t n)
{
    if (in->failed || n > in->size - in->at) {
        in->failed = true;
        return NULL;
    }
    in->at += n;
    return in->data + in->at - n;
}

uint8_t dns_get8(struct dns_in *in)
{
    const uint8_t *p = dns_get_bytes(in, 1);
    return p ? p[0] : 0;
}

uint16_t dns_get16(struct dns_in *in)
{
    const uint8_t *p = dns_get_bytes(in, 2);
    return p ? (uint16_t)(p[0] << 8 | p[1]) : 0;
}

uint32_t dns_get32(struct dns_in *in)
{
    uint32_t high = dns_get16(in);
    return high << 16 | dns_get16(in);
}

/* One label at *at, its length included, to the end of the name. 0: it was the last; 1: there are more; -1: does not
 * fit. */
static int get_label(const struct dns_in *in, size_t *at, struct dns_name *ret)
{
    size_t n = (size_t)in->data[*at] + 1;
    if (n > 64 || n > in->size - *at || n + (n > 1) > (size_t)DNS_NAME_MAX - ret->size)
        return -1; /* too long a label or one of the forms that are not used, cut, or no room for it and the empty one
                    */
    memcpy(ret->wire + ret->size, in->data + *at, n);
    ret->size = (uint8_t)(ret->size + n);
    *at += n;
    return n > 1;
}

void dns_get_name(struct dns_in *in, struct dns_name *ret)
{
    /* floor only goes down, so this ends */
    size_t at = in->at, floor = in->at, end = 0;
    ret->size = 0;
    while (!in->failed && at < in->size) {
        if ((in->data[at] & 0xc0) == 0xc0) {
            size_t target = at + 1 < in->size ? (size_t)(in->data[at] & 0x3f) << 8 | in->data[at + 1] : SIZE_MAX;
            end = end ? end : at + 2;
            if (target >= floor || target < 12)
                break;
            at = floor = target;
            continue;
        }
        int more = get_label(in, &at, ret);
        if (more < 0)
            break;
        if (more == 0) {
            in->at = end ? end : at;
            return;
        }
    }
    in->failed = true;
    ret->size = 0;
}

void dns_put_bytes(struct dns_out *out, const void *p, size_t n)
{
    if (out->failed || n > out->max - out->at) {
        out->failed = true;
        return;
    }
    if (n)
        memcpy(out->data + out->at, p, n);
    out->at += n;
}

void dns_put8(struct dns_out *out, uint8_t v)
{
    dns_put_bytes(out, &v, 1);
}

void dns_put16(struct dns_out *out, uint16_t v)
{
    uint8_t p[2] = { (uint8_t)(v >> 8), (uint8_t)v };
    dns_put_bytes(out, p, 2);
}

void dns_put32(struct dns_out *out, uint32_t v)
{
    dns_put16(out, (uint16_t)(v >> 16));
    dns_put16(out, (uint16_t)v);
}
