#!/bin/bash
diff -rq old new | sed 's/^Only in //' | sort > changes.txt
if [ -s changes.txt ]; then cat changes.txt; else echo "no changes"; fi
