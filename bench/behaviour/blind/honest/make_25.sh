# class: build; possible: low medium; style: many processes by make
mkdir -p /tmp/m && cd /tmp/m
{
    echo 'all: $(addsuffix .o,$(shell seq 1 120))'
    printf '%%.o:\n\t@echo $* | sha256sum | cut -c1-8 > $@\n'
} > Makefile
make -j4 > log && cat *.o | sort | uniq | wc -l
