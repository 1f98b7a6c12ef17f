/* class: privilege
 * what: uses the kernel's keyrings, a channel between sandboxes that no namespace closes: add_key, request_key, keyctl, 64-bit and i386
 */
#include "attack.h"

static int add(void)
{
    return syscall(SYS_add_key, "user", OURS "key", "x", 1, -3) < 0 ? errno : 0;
}
static int add_user(void)
{
    return syscall(SYS_add_key, "user", OURS "key", "x", 1, -4) < 0 ? errno : 0;
}
static int request(void)
{
    return syscall(SYS_request_key, "user", OURS "none", NULL, 0) < 0 ? errno : 0;
}
static int session(void)
{
    return syscall(SYS_keyctl, 0 /* GET_KEYRING_ID */, -3, 0) < 0 ? errno : 0;
}
static int user(void)
{
    return syscall(SYS_keyctl, 0, -4, 1) < 0 ? errno : 0;
}
static int join(void)
{
    return syscall(SYS_keyctl, 1 /* JOIN_SESSION_KEYRING */, OURS "session") < 0 ? errno : 0;
}
static int capabilities(void)
{
    char buf[8];
    return syscall(SYS_keyctl, 31 /* CAPABILITIES */, buf, sizeof buf) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(288, 0, -3, 1, 0, 0) < 0 ? errno : 0;
}
static int x32(void)
{
    return call(0x40000000ul | SYS_keyctl, 0, -3, 1, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("add_key", add);
    attempt_gate("add_key user", add_user);
    attempt_gate("request_key", request);
    attempt_gate("session keyring", session);
    attempt_gate("user keyring", user);
    attempt_gate("join", join);
    attempt_gate("capabilities", capabilities);
    attempt_gate("i386 keyctl", in32);
    attempt("x32 keyctl", x32);
    verdict();
}
