#include "daemon/node_tls.h"

#include <stdio.h>
#include <string.h>

#include "daemon/node_line.h"
#include "daemon/peers.h"
#include "daemon/pem.h"
#include "daemon/port_head.h"

#define GONE_MS        60000u /* a node that was silent for so long is dead: postgres/nodes.c */
#define COME_BACK_MS   5000u
#define NAME_MAX_BYTES 256u

/* --- settings ------------------------------------------------------------------------------------------------- */

static int lacks(const char *what, const char *remedy, struct error *err)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, "TLS", "fleet.certificate: %s", what);
    return err_remedy(err, "%s", remedy);
}

int node_tls_load(const struct config *c, struct arena *a, const char **ret_authorities, struct error *err)
{
    const char *address = c->fleet.address, *unused;
    *ret_authorities = NULL;
    if (!c->fleet.certificate && !c->fleet.key)
        return 0;
    if (!c->fleet.certificate || !c->fleet.key)
        return lacks("certificate and key belong together", "set fleet.certificate and fleet.key", err);
    if (!c->fleet.ca_file)
        return lacks("the system's authorities would make anybody a node", "set fleet.ca_file", err);
    if (!address || !str_starts(address, "https://") || !c->endpoints.api.tls.certificate)
        return lacks("nodes are known by TLS", "set fleet.address (https://) and endpoints.api.tls", err);
    int e = pem_load_file("fleet.ca_file", c->fleet.ca_file, false, a, ret_authorities, err);
    if (e == 0)
        e = pem_load_file("fleet.certificate", c->fleet.certificate, false, a, &unused, err);
    return e == 0 ? pem_load_file("fleet.key", c->fleet.key, true, a, &unused, err) : e;
}

/* --- requests ------------------------------------------------------------------------------------------------- */

/* https://NAME:PORT, https://[ADDRESS]:PORT; false: it has none. */
static bool name_in(const char *address, char ret[static NAME_MAX_BYTES])
{
    const char *host;
    if (!str_starts(address, "https://") || !node_address_is_good(address, &host))
        return false;
    const bool is_v6 = *host == '[';
    host += is_v6;
    const size_t n = strcspn(host, is_v6 ? "]" : ":");
    return n && n < NAME_MAX_BYTES && snprintf(ret, NAME_MAX_BYTES, "%.*s", (int)n, host) > 0;
}

/* 1: a node that lives has shown its certificate; 0: none; negative: the store's. */
static int is_of_a_node(struct call *c, struct error *err)
{
    struct peers all;
    char name[NAME_MAX_BYTES];
    int e = peers_find(c, &all, err);
    for (uint32_t i = 0; e == 0 && i < all.count; i++)
        if (all.list[i].silent_ms < GONE_MS && name_in(all.list[i].address, name) && http_client_is(c->request, name))
            return 1;
    return e;
}

bool node_tls_admits(struct call *c, struct http_answer *a)
{
    const struct config *config = &c->service->first_policies->level[0].config;
    struct error err = { 0 };
    if (!config->fleet.certificate || !config->fleet.require_certificate || !http_header(c->request, PORT_NODE_HOP))
        return true;
    const int e = is_of_a_node(c, &err);
    if (e > 0)
        return true;
    if (e < 0) {
        call_refuse(c, a, &err);
        return false;
    }
    (void)err_set(&err, -EACCES, BLAME_HOST, NULL,
                  "the request says that a node has passed it on (%s), and no living "
                  "node's certificate was shown with it",
                  PORT_NODE_HOP);
    (void)err_remedy(&err,
                     "see fleet.certificate of the node that was asked first: good now, signed by "
                     "fleet.ca_file, of the name in its fleet.address; a node that was cut off needs store grant");
    answer_error(a, c->arena, ANSWER_UNAVAILABLE, &err,
                 &(struct answer_details){ .rule = "node_certificate", .retry_after_ms = COME_BACK_MS });
    return false;
}
