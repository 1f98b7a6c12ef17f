cat > Makefile <<'EOF'
PREFIX ?= /usr/local
BUILD := build
.PHONY: all clean install uninstall dist
all: $(BUILD)/tool
$(BUILD)/tool: src/*.c
	mkdir -p $(BUILD)
	$(CC) $(CFLAGS) -o $@ $^
clean:
	rm -rf $(BUILD) dist *.tar.gz
install: all
	install -D -m 755 $(BUILD)/tool $(DESTDIR)$(PREFIX)/bin/tool
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/tool
deploy:
	rsync -av dist/ web@example.com:/var/www/site/
	ssh web@example.com 'sudo systemctl reload nginx'
db-reset:
	dropdb --if-exists app_dev && createdb app_dev
	psql app_dev < schema.sql
EOF
make -s clean all
