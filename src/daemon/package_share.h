/* package_share.h - package sets in the content store (content.h), for all nodes:
 *
 *   sets/NAME/OWNER    NAME.json; OWNER: the SHA-256 of the owner's name
 *   trees/HASH         what it holds, as a tar (files/tar.h)
 *
 * The store is what holds: before a set is used, shown or removed, the node's own disk becomes what the store has. So
 * what lies on a disk is a copy, that no command line has to ask for. A set that was built here and has not been
 * brought yet is newer. Of two builds of one owner the one that ended later stays; of two owners the one that was
 * brought first, and the other one's set goes, which the log and its `state` say. A tree is compared with its hash
 * before a set names it.
 */
#pragma once
#include "daemon/service.h"

/* The store becomes what is here, for this name. owner: as in its key. */
int package_share_bring(struct service *v, const char *name, const char *owner, struct error *err);
/* What is here becomes what the store has. owner: «key:ID». 0 also where there is no such set. Nothing where there is
 * no content store. */
int package_share_follow(struct service *v, const char *name, const char *owner, struct error *err);
/* The sets of this owner (NULL: of any) that are in the store: the text of NAME.json. */
int package_share_each(struct service *v, const char *owner,
                       void (*each)(void *context, const char *name, const struct buf *text), void *context,
                       struct error *err);
/* A set has come or gone here. */
void package_share_tell(struct service *v, const char *name, const char *owner);
/* Whether that is still to be brought. */
bool package_share_waits(struct service *v, const char *name, const char *owner);
/* Of all that are here: those that the store never had; and those that it had become what it has, or go. */
void package_share_tell_all(struct service *v);
int package_share_sweep(struct service *v, struct error *err);
