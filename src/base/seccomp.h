/* seccomp.h - loads a finished filter (struct sock_filter[]) for the caller and what it starts. System calls only: may
 * be called between fork or vfork and exec. no_new_privs has to be set, or CAP_SYS_ADMIN there. */
#pragma once
#include "base/base.h"
#include "base/pack.h"

/* 0 or -errno */
int seccomp_load(struct bytes filter);
/* The listener's descriptor, or -errno. may_be_interrupted: signals end the waiting of who asks, as a connect(2) that
 * takes long must be; otherwise only fatal ones do, once the question has been read. */
int seccomp_load_listening(struct bytes filter, bool may_be_interrupted);
