/* dns_wire.h - reading and writing the bytes of DNS messages, for dns.c only: length-checked, a failure stays. */
#pragma once
#include "net/dns.h"

struct dns_in {
    const uint8_t *data;
    size_t size, at;
    bool failed;
};
uint8_t dns_get8(struct dns_in *in);
uint16_t dns_get16(struct dns_in *in);
uint32_t dns_get32(struct dns_in *in);
const uint8_t *dns_get_bytes(struct dns_in *in, size_t n); /* NULL: not there */
void dns_get_name(struct dns_in *in, struct dns_name *ret);

struct dns_out {
    uint8_t *data;
    size_t max, at;
    bool failed;
};
void dns_put_bytes(struct dns_out *out, const void *p, size_t n);
void dns_put8(struct dns_out *out, uint8_t v);
void dns_put16(struct dns_out *out, uint16_t v);
void dns_put32(struct dns_out *out, uint32_t v);
