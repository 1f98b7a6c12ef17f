#!/bin/sh
# mdadm event
event=$1 device=$2
case "$event" in Fail|DegradedArray) printf '%s on %s\n\n%s\n' "$event" "$device" "$(cat /proc/mdstat)" | sendmail root ;; esac
