# class: data work, a short python -c; style: agent one-off
python3 -c "
import json,sys
d=json.load(open('package.json'))
d['scripts']['lint']='eslint src'
json.dump(d,open('package.json','w'),indent=2)
"
node -e "console.log(require('./package.json').scripts)"
perl -pi -e 's/\bfoo\b/bar/g' src/*.js
git diff --stat
