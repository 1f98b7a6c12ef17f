#!/bin/bash
DIR=$1
cd "$DIR" || exit 1
rm -rf ./*
rm -rf "$DIR"
