#!/bin/bash
# notify script for keepalived: TYPE NAME STATE
TYPE=$1 NAME=$2 STATE=$3
log() { logger -t keepalived-notify "$NAME: $*"; }

case $STATE in
  MASTER)
    log "taking over"
    systemctl start haproxy
    psql -h 127.0.0.1 -U postgres -Atc 'select pg_is_in_recovery()' | grep -q t &&
      su postgres -c 'pg_ctl promote -D /var/lib/postgresql/16/main'
    ;;
  BACKUP)
    log "going to standby"
    systemctl stop haproxy
    ;;
  FAULT)
    log "fault"
    systemctl stop haproxy
    echo "$NAME on $(hostname -f) is in FAULT" | mail -s "keepalived fault" oncall@corp.example
    ;;
  *) log "unknown state $STATE"; exit 1 ;;
esac
echo "$STATE" > "/run/keepalived-$NAME.state"
