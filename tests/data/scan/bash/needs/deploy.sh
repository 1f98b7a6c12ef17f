#!/bin/bash
set -e
npm run build
rsync -az --delete dist/ deploy@203.0.113.10:/var/www/app/
ssh deploy@203.0.113.10 'sudo systemctl restart app'
