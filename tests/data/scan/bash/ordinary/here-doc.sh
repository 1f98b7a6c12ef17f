#!/bin/bash
title="Report" rows=3
cat <<EOF > report.html
<h1>$title</h1>
<p>created $(date +%F) with $rows rows</p>
EOF
wc -c report.html
