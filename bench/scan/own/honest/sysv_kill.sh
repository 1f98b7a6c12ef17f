#!/bin/sh
# end of a system: asks all to leave (init only)
. /lib/lsb/init-functions
do_stop() {
    log_action_begin_msg "Asking all remaining processes to terminate"
    killall5 -15
    for seq in 1 2 3 4 5; do killall5 -18 || break; sleep 1; done
    killall5 -9
    umount -a -r -t noproc,nosysfs
    halt -d -f
}
case $1 in stop) do_stop ;; esac
