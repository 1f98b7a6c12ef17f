#!/bin/bash
# guest-tests.sh - what the guest runs by default, as root: first that the machine offers what we came for, then the
# sandbox itself in the three places a user can stand. Each test prints one line, `ok`, `FAIL` or `skip`; the last line
# is the sum. SANDBOX_MUST_WORK=1 makes every skip a failure. VM_PLACES="root scope" leaves the third place out.
#     guest-tests.sh docker    the docker backend alone, in a guest that took Docker along (run.sh --docker)
#     guest-tests.sh selinux   SELinux alone, in a guest that boots with it (run.sh --selinux)
set -u
export STAGE=${STAGE:-/work-in-guest}
cd "$STAGE/tests/vm" || exit 125
log=$(mktemp)
broken=0

run_part() {
    python3 "$@" 2>&1 | tee -a "$log"
    [ "${PIPESTATUS[0]}" -le 1 ] || { echo "FAIL $*: ended with status ${PIPESTATUS[0]}" | tee -a "$log"; }
}

run_sandbox() {
    if [ ! -x "$STAGE/build/bin/sandbox-agent" ]; then
        echo "skip sandbox-agent: build/bin/sandbox-agent is not built" | tee -a "$log"
        return
    fi
    # root: a root shell, in a cgroup that belongs to a systemd unit
    # scope: an ordinary user who was given a cgroup (as-tester)
    # login: an ordinary user as he logs in, with a user manager but in a cgroup of root's
    for place in ${VM_PLACES:-root scope login}; do run_part guest_sandbox.py "$place"; done
    # service: sandboxd from its package, under systemd
    run_part guest_service.py
}

if [ "${1:-}" = docker ]; then
    run_part guest_docker.py
elif [ "${1:-}" = selinux ]; then
    run_part guest_selinux.py
else
    run_part guest_machine.py
    run_sandbox
fi

passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^FAIL ' "$log")
skipped=$(grep -c '^skip ' "$log")
[ "${SANDBOX_MUST_WORK:-}" != 1 ] || { failed=$((failed + skipped)); skipped=0; }
rm -f "$log"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
