#!/bin/sh
# upsmon notifies
case $1 in
  ONBATT) wall "on battery" ;;
  LOWBATT|FSD) wall "battery low, going down"; sync; /sbin/shutdown -h +1 ;;
esac
