#!/bin/bash
# most frequent words of a text on standard input
tr -cs '[:alpha:]' '\n' | tr '[:upper:]' '[:lower:]' | grep -v '^$' | sort | uniq -c | sort -rn | head -n "${1:-10}"
