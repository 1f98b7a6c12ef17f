#!/bin/bash
# guest-run.sh - the first thing of the repo that runs in the guest, as root, from the read-only stage.
# Says what this machine is, then runs the command that run.sh was given, else guest-tests.sh. Its status goes home.
set -u
export STAGE=${STAGE:-/work-in-guest} PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
[ ! -e "$STAGE/.vm/environment" ] || . "$STAGE/.vm/environment"
cd "$STAGE" || exit 125

# Shared libraries that build/bin was linked with and the image has not.
install_libraries() {
    local lib known
    known=$(ldconfig -p)
    for lib in "$STAGE"/.vm/lib/*; do
        [ -e "$lib" ] || continue
        [[ $known == *"$(basename "$lib") "* ]] || cp "$lib" /usr/local/lib/
    done
    ldconfig
}

# The user manager of the lingering user is started in the background; its bus is the sign that it is ready.
wait_for_user_manager() {
    local n=0
    while [ ! -S /run/user/1000/bus ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
}

install_libraries
wait_for_user_manager
# How much slower this guest is than the tests' limits assume: for them, and on the console for run.sh.
VM_PACE=$(python3 tests/vm/guest_report.py pace)
export VM_PACE
echo "vm-pace $VM_PACE" >/dev/ttyS0
if [ -e .vm/command ]; then
    bash -c "$(cat .vm/command)"
    exit $?
fi

echo "kernel       $(uname -srv)"
echo "pace         $VM_PACE times the reference's time"
echo "systemd      $(systemctl --version | head -n 1)"
echo "controllers  $(cat /sys/fs/cgroup/cgroup.controllers 2>/dev/null || echo 'no cgroup v2')"
echo "lsm          $(cat /sys/kernel/security/lsm)"
echo "apparmor     $(cat /sys/module/apparmor/parameters/enabled 2>/dev/null || echo absent), $(aa-status --profiled 2>/dev/null || echo 0) profiles loaded"
echo "own cgroup   $(cut -d: -f3- /proc/self/cgroup)"
echo "tester       $("$STAGE/tests/vm/as-tester" cut -d: -f3- /proc/self/cgroup)"
if [ -f tests/vm/guest-tests.sh ]; then
    bash tests/vm/guest-tests.sh
    exit $?
fi
echo "0 passed, 0 failed, 0 skipped"
