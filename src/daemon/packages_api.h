/* packages_api.h - /packages: package sets of a service's clients (docs/packages.md). A set belongs to the key that
 * made it; no other key uses, sees or removes it, but for keys of the roles read (sees all) and admin. */
#pragma once
#include "daemon/service.h"

void packages_create(struct call *c, struct http_answer *a);
void packages_list(struct call *c, struct http_answer *a);
void packages_show(struct call *c, struct http_answer *a);
void packages_delete(struct call *c, struct http_answer *a);

/* Whose a set of this key is, in the arena: «key:ID». */
const char *packages_owner(const char *key_id, struct arena *a);
