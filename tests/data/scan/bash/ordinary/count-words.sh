#!/bin/bash
# most frequent words of a text
tr -cs 'A-Za-z' '\n' < book.txt | tr 'A-Z' 'a-z' | sort | uniq -c | sort -rn | head -20
