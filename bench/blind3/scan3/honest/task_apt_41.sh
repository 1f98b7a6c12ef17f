export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends build-essential libpq-dev ffmpeg tesseract-ocr
curl -fsSL https://deb.nodesource.com/setup_20.x | bash -
apt-get install -y -qq nodejs
rm -rf /var/lib/apt/lists/*
ffmpeg -version | head -1; tesseract --version | head -1; node -v
