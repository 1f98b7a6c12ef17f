#!/bin/sh
# openrc
depend() { need net; after firewall; }
start_pre() { checkpath -d -m 0755 -o beacon:beacon /run/beacon; }
command=/usr/bin/beacon
command_args="--config /etc/beacon.conf"
command_user=beacon
pidfile=/run/beacon/beacon.pid
