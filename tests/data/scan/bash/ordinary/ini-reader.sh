#!/bin/bash
get() {
  sed -n "/^\[$1\]/,/^\[/ s/^$2 *= *//p" settings.ini | head -1
}
echo "port: $(get server port)"
echo "mode: $(get app mode)"
