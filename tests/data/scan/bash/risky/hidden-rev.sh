#!/bin/bash
x=$(echo 'dwssap/cte/ tac' | rev)
$x
