/* errname.h - an errno by its name, for programs that are also built with musl, which has no strerrorname_np(). */
#pragma once
#include <errno.h>
#include <stdio.h>

static const char *errname(int e)
{
    static char other[24];
#define E(x) \
    case x:  \
        return #x;
    /* its list is moved at each run by version 14 */
    /* clang-format off */
    switch (e) {
        E(EPERM)
        E(ENOENT)
        E(ESRCH)
        E(EINTR)
        E(EIO) E(ENXIO) E(E2BIG) E(ENOEXEC) E(EBADF) E(ECHILD) E(EAGAIN) E(ENOMEM) E(EACCES) E(EFAULT) E(ENOTBLK)
            E(EBUSY) E(EEXIST) E(EXDEV) E(ENODEV) E(ENOTDIR) E(EISDIR) E(EINVAL) E(ENFILE) E(EMFILE) E(ENOTTY)
                E(ETXTBSY) E(EFBIG) E(ENOSPC) E(ESPIPE) E(EROFS) E(EMLINK) E(EPIPE) E(EDOM) E(ERANGE) E(EDEADLK)
                    E(ENAMETOOLONG) E(ENOLCK) E(ENOSYS) E(ENOTEMPTY) E(ELOOP) E(ENOMSG) E(EIDRM) E(ENODATA) E(ETIME)
                        E(EOVERFLOW) E(EBADFD) E(EUSERS) E(ENOTSOCK) E(EDESTADDRREQ) E(EMSGSIZE) E(EPROTOTYPE)
                            E(ENOPROTOOPT) E(EPROTONOSUPPORT) E(ESOCKTNOSUPPORT) E(EOPNOTSUPP) E(EAFNOSUPPORT)
                                E(EADDRINUSE) E(EADDRNOTAVAIL) E(ENETDOWN) E(ENETUNREACH) E(ECONNRESET) E(ENOBUFS)
                                    E(EISCONN) E(ENOTCONN) E(ETOOMANYREFS) E(ETIMEDOUT) E(ECONNREFUSED) E(EHOSTUNREACH)
                                        E(EALREADY) E(EINPROGRESS) E(ESTALE) E(EDQUOT) E(ENOKEY) E(EKEYREJECTED)
    }
/* clang-format on */
#undef E
    (void)snprintf(other, sizeof other, "errno %d", e);
    return other;
}
