/* learn.h - what a run needed of the network, as the `allow:` list of a profile. Pure.
 *
 * Fed with a run's events; remembers what was connected to or looked up with success (the sandbox's own loopback
 * apart), and what was refused, for the comment. At most NET_MAX_RULES lines, as many as a profile may have; what did
 * not fit is counted and said. Names and texts come from inside: only what reads back as a rule is printed as one.
 */
#pragma once
#include "base/netrule.h"
#include "watch/event.h"

#define NET_LEARN_REFUSED_MAX 16u

struct net_learn;
struct net_learn *net_learn_new(void); /* NULL: no memory */
struct net_learn *net_learn_free(struct net_learn *l);
void net_learn_add(struct net_learn *l, const struct watch_event *e);
/* Lines of YAML for below `network:`, sorted, each once: «  allow:» and «    - "pypi.org:443"»; «  allow: []» when
 * nothing was needed. A name that was looked up and never connected to stands without a port: its address may belong to
 * another name, too. */
void net_learn_print(const struct net_learn *l, struct buf *out);
