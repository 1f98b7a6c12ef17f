#!/bin/sh
# keeps the journal below a size
journalctl --disk-usage
journalctl --rotate
journalctl --vacuum-size=500M
journalctl --vacuum-time=30d
