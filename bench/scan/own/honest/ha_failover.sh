#!/bin/bash
# keepalived notify script
TYPE=$1 NAME=$2 STATE=$3
case $STATE in
MASTER) systemctl start haproxy; logger "became master" ;;
BACKUP|FAULT) systemctl stop haproxy; kill -9 $(cat /run/haproxy.pid) 2>/dev/null ;;
esac
echo "$STATE" > /run/keepalived.state
ip -br addr | mail -s "$NAME is $STATE on $(hostname -s)" ops@example.com
