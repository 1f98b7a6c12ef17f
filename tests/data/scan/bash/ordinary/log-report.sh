#!/bin/bash
log=${1:-app.log}
echo "errors:   $(grep -c ERROR "$log")"
echo "warnings: $(grep -c WARN "$log")"
grep ERROR "$log" | cut -d' ' -f1 | sort | uniq -c
