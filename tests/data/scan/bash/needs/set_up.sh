set -e
git clone https://example.com/a/b.git
cd b && pip install -r requirements.txt
curl -fsS -o data.json https://example.com/data.json
rm -rf "$1"
