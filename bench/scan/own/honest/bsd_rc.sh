#!/bin/sh
# PROVIDE: agentd
# REQUIRE: NETWORKING
. /etc/rc.subr
name=agentd
rcvar=agentd_enable
command=/usr/local/sbin/agentd
stop_postcmd() { rm -f $pidfile; }
load_rc_config $name
run_rc_command "$1"
