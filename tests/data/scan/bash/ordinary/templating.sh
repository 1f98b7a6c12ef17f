#!/bin/bash
name=Ada
while IFS= read -r line; do
  echo "${line//\{\{name\}\}/$name}"
done < template.txt > letter.txt
