#!/bin/bash
find . -type f -name '*.txt' -print0 | xargs -0 md5sum | sort | awk '{ if (seen[$1]++) print $2 }'
