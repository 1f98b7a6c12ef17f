# class: network, files to the team's bucket; style: CI
set -eu
aws --version
aws s3 sync build/ "s3://${BUCKET:?}/app/${GIT_SHA:?}/" --delete --cache-control "max-age=31536000"
aws s3 cp build/index.html "s3://$BUCKET/app/index.html" --cache-control no-cache
aws cloudfront create-invalidation --distribution-id "$DIST_ID" --paths "/app/index.html"
