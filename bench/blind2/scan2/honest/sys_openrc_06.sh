# class: init script; style: OpenRC
#!/sbin/openrc-run
description="object store"
command="/usr/bin/objstore"
command_args="--data /srv/objects ${OBJSTORE_ARGS}"
command_user="objstore:objstore"
command_background=true
pidfile="/run/${RC_SVCNAME}.pid"
depend() {
	need net localmount
	after firewall
}
start_pre() {
	checkpath --directory --owner $command_user --mode 0750 /srv/objects
	ulimit -n 65536
}
