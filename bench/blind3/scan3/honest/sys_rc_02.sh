#!/sbin/openrc-run
# keeps the clock of the lab machines
description="Simple clock keeper"
command="/usr/libexec/clockkeeper"
command_args="${CK_OPTS:--p 3}"
command_user="clock:clock"
command_background=true
pidfile="/run/${RC_SVCNAME}.pid"
output_log="/var/log/clockkeeper.log"

depend() {
	need net
	after firewall
	use dns logger
}

start_pre() {
	checkpath -d -m 0755 -o clock:clock /var/lib/clockkeeper
	[ -e /dev/rtc ] || ewarn "no rtc on this machine"
	hwclock --hctosys --utc || true
}

reload() {
	ebegin "Reloading ${RC_SVCNAME}"
	start-stop-daemon --signal HUP --pidfile "${pidfile}"
	eend $?
}
