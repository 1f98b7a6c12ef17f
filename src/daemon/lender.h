/* lender.h - the service's side of run/lend.h: one thread, which lends this user's command lines connections to the
 * launcher, and what the stock has.
 *
 * It knows nothing of what runs there, and what runs is not among the service's executions. A service that ends waits
 * for it as for those (service_drain()).
 */
#pragma once
#include "daemon/launcher.h"
#include "daemon/stock.h"

#define LENDER_MAX 64u /* command lines at once; a further one runs direct */

struct lender;
/* program: the launcher's. *ret is NULL, and path empty, where this user has no place for the socket, or another
 * service of this user lends already. -errno: it could not be. */
int lender_open(struct launcher *l, struct stock *s, const char *program, char *path, size_t size, struct lender **ret,
                struct error *err);
uint32_t lender_lent(struct lender *l); /* command lines that use something now; 0 of NULL */
/* True: nobody uses anything, now or after so long. */
bool lender_wait(struct lender *l, uint32_t wait_ms);
/* No more of them come. Those that are there go on until the launcher ends. */
void lender_refuse(struct lender *l);
/* Returns NULL. */
struct lender *lender_close(struct lender *l);
