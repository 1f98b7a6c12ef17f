#!/bin/bash
while read -r w; do
  [ "$w" = "$(rev <<< "$w")" ] && echo "$w"
done < words.txt
