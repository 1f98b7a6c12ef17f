#!/sbin/openrc-run
name="statsd"
command="/usr/bin/statsd"
command_user="statsd:statsd"
pidfile="/run/${RC_SVCNAME}.pid"
start_pre() {
    checkpath -d -m 0755 -o statsd:statsd /run/statsd
    [ -f /etc/statsd.conf ] || cp /usr/share/statsd/example.conf /etc/statsd.conf
}
stop_post() {
    rm -f "$pidfile"
    pkill -u statsd statsd || true
}
