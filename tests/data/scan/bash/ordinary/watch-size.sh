#!/bin/bash
du -sh -- */ 2>/dev/null | sort -rh | head -n 10
