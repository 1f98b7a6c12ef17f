# Two compilers, eleven programs:
#   sandbox-agent, sandbox-launcher   static, musl: their start-up is part of every run (0.09 ms instead of 0.44);
#                                     the first with libsodium's objects (audit), the second with libc and nothing else
#   sandbox-broker, sandbox-entry     static, musl: libc and nothing else; the latter runs in containers of any image
#   sandbox-steward                   static, musl: libc and nothing else; the program of a session's sandbox
#   sandbox-policy                    dynamic, glibc: libyaml, jansson
#   sandbox-scan                      glibc, static if it can be: tree-sitter with grammars from npm's registry, pcre2, libyaml
#   sandboxd                          dynamic, glibc: libmicrohttpd (with GnuTLS), jansson, libcurl, SQLite, libsodium
#   sandbox-engine                    dynamic, glibc: libcurl, jansson
#   sandbox-remote                    dynamic, glibc: libcurl, jansson, libsodium
#   sandbox-ledger                    glibc, static if it can be: SQLite
# The build directory has the layout of an installation: bin, libexec/sandbox-agent, share/sandbox-agent.
.DEFAULT_GOAL := all
VERSION  := 0.1.0
B        ?= build
Q        ?= @
PREFIX   ?= /usr/local
DESTDIR  ?=
CC       ?= gcc
MUSL     ?= $(shell command -v musl-gcc || echo $(CC))
PYTHON   ?= /usr/bin/python3
AR       := $(shell $(CC) -print-prog-name=ar)
MULTIARCH := $(shell $(CC) -print-multiarch)
# what starts a program that was just built: empty, or an emulator's command when the compiler is for another machine (tests/arm64)
EMULATOR ?=

# what the policy cache must not survive: any change of these rooms
BUILD_ID := $(VERSION)-$(shell cat src/base/*.[ch] src/config/*.[ch] src/filter/*.[ch] src/plan/*.h src/tool/*.[ch] guards/*.* | cksum | cut -d' ' -f1)
# what a kept scan must not survive; the rules themselves are in its key
SCAN_BUILD_ID := $(VERSION)-$(shell cat src/base/*.[ch] src/scan/*.[ch] rules/*.effects scripts/effects.py package-lock.json node_modules/.package-lock.json 2>/dev/null | cksum | cut -d' ' -f1)

IS_CLANG := $(findstring clang,$(CC))
# gcc guesses at lengths that snprintf() bounds; clang has no such guess to silence
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings $(if $(IS_CLANG),,-Wno-format-truncation) -Werror
COMMON   := -std=gnu17 -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -Isrc \
            -include src/base/banned.h $(WARN) -O2 -g -ffunction-sections -fdata-sections \
            -fstack-protector-strong -fno-strict-aliasing -MMD -MP
# expanded when used, since single objects add to COMMON
# musl-gcc knows no kernel headers; -idirafter lets it find linux/ and asm/ without mixing in glibc's
STATIC   = $(COMMON) -idirafter /usr/include -idirafter /usr/include/$(MULTIARCH) -U_FORTIFY_SOURCE
DYNAMIC  = $(COMMON) -D_FORTIFY_SOURCE=2 -fPIE
STATIC_LD  := -static -Wl,--gc-sections -Wl,-z,relro,-z,now,-z,noexecstack
DYNAMIC_LD := -pie -Wl,--gc-sections -Wl,-z,relro,-z,now,-z,noexecstack

include modules.mk

# modules.mk says what is in a library and in a program; $(1) is how it is compiled: static, dynamic or fork
MODULES    := $(sort $(notdir $(patsubst %/,%,$(wildcard src/*/))))
LIBRARIES  := $(MODULES) messages report sha256-sodium sha256-nettle
ABSENT     := $(patsubst %,src/postgres/%,$(without.postgres))
SHARED_SRC := $(patsubst %,src/%.c,$(library.messages) $(library.report) $(library.sha256-sodium) $(library.sha256-nettle))
sources     = $(if $(library.$(1)),$(patsubst %,src/%.c,$(library.$(1))),\
                $(filter-out %/main.c $(SHARED_SRC) $(ABSENT),$(wildcard src/$(1)/*.c)))
objects     = $(patsubst src/%.c,$(B)/$(1)/%.o,$(2))
parts       = $(B)/$(1)/$(firstword $(links.$(2)))/main.o $(patsubst %,$(B)/$(1)/lib%.a,$(links.$(2)))
needs       = $(patsubst %,-l%,$(if $(PQ),$(needs.$(1)),$(filter-out pq,$(needs.$(1)))))
link        = $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) $(MORE) -Wl,--end-group

# libsodium.a of Debian is glibc's: src/audit/sodium.c says what musl lacks for it
SODIUM   := $(firstword $(wildcard /usr/lib/$(MULTIARCH)/libsodium.a /usr/lib/libsodium.a) -lsodium)
# as one static file where the libraries are there as such: its start is part of the first run of each program (1.9 ms, not 2.4)
SCAN_LD  := $(if $(and $(if $(IS_CLANG),,yes),$(wildcard /usr/lib/$(MULTIARCH)/libtree-sitter.a),$(wildcard /usr/lib/$(MULTIARCH)/libpcre2-8.a),\
              $(wildcard /usr/lib/$(MULTIARCH)/libyaml.a)),-static-pie,-pie)
# likewise (0.4 ms of CPU, not 0.8): a known agent's run starts one. Its linker warns that dlopen() is in there: nothing loads an extension
LEDGER_LD := $(if $(and $(if $(IS_CLANG),,yes),$(wildcard /usr/lib/$(MULTIARCH)/libsqlite3.a)),-static-pie,-pie)
ALL_LIBS := $(call needs,sandboxd) $(call needs,sandbox-scan) -lm -pthread

# grammars: what scripts/fetch_grammars.py laid into node_modules. Without it sandbox-scan has patterns only, and every report says so.
# not sanitized, so a build with the same compiler may share another's
GRAMMAR_DIR ?= $(B)/grammar
GRAMMARS := $(patsubst node_modules/tree-sitter-%/src/parser.c,%,$(wildcard node_modules/tree-sitter-*/src/parser.c))
GRAMMAR_OBJECTS := $(foreach g,$(GRAMMARS),$(patsubst node_modules/tree-sitter-$(g)/src/%.c,$(GRAMMAR_DIR)/$(g)/%.o,\
                     $(wildcard node_modules/tree-sitter-$(g)/src/*.c)))
GRAMMAR_FLAGS := $(patsubst %,-DHAVE_GRAMMAR_%,$(GRAMMARS))
NO_GRAMMARS := $(filter-out $(GRAMMARS),python javascript bash go rust)

AGENT    := $(B)/bin/sandbox-agent
LAUNCHER := $(B)/libexec/sandbox-agent/sandbox-launcher
FORK     := $(B)/libexec/sandbox-agent/sandbox-fork.so
POLICY   := $(B)/libexec/sandbox-agent/sandbox-policy
BROKER   := $(if $(wildcard src/broker/main.c),$(B)/libexec/sandbox-agent/sandbox-broker)
STEWARD  := $(B)/libexec/sandbox-agent/sandbox-steward
REMOTE   := $(B)/libexec/sandbox-agent/sandbox-remote
ENTRY    := $(if $(wildcard src/entry/main.c),$(B)/libexec/sandbox-agent/sandbox-entry)
SCAN     := $(if $(wildcard src/scan/main.c),$(B)/libexec/sandbox-agent/sandbox-scan)
LEDGER   := $(if $(wildcard src/ledger/main.c),$(B)/libexec/sandbox-agent/sandbox-ledger)
ENGINE   := $(if $(wildcard src/engine/main.c),$(B)/libexec/sandbox-agent/sandbox-engine)
DAEMON   := $(if $(wildcard src/daemon/main.c),$(B)/bin/sandboxd)
SHARE    := $(B)/share/sandbox-agent
PAGE     := $(B)/ui/files.o

# objects that carry the build id are made again when it changes
$(B)/.build-id: FORCE
	@mkdir -p $(B); echo '$(BUILD_ID)' | cmp -s - $@ || echo '$(BUILD_ID)' > $@
$(B)/static/config/compiled.o $(B)/dynamic/config/compiled.o: COMMON += -DBUILD_ID='"$(BUILD_ID)"'
$(B)/static/config/compiled.o $(B)/dynamic/config/compiled.o: $(B)/.build-id

$(B)/.scan-build-id: FORCE
	@mkdir -p $(B); echo '$(SCAN_BUILD_ID)' | cmp -s - $@ || echo '$(SCAN_BUILD_ID)' > $@
$(B)/static/scan/stamp.o $(B)/dynamic/scan/stamp.o: COMMON += -DSCAN_BUILD_ID='"$(SCAN_BUILD_ID)"'
$(B)/static/scan/stamp.o $(B)/dynamic/scan/stamp.o: $(B)/.scan-build-id

# what known functions do (src/scan/effect.h)
$(B)/effects/scan/effects.inc: scripts/effects.py $(wildcard rules/*.effects)
	@mkdir -p $(@D)
	$(Q)$(PYTHON) scripts/effects.py rules $@
$(B)/dynamic/scan/effect.o: COMMON += -I$(B)/effects
$(B)/dynamic/scan/effect.o: $(B)/effects/scan/effects.inc

all: $(AGENT) $(DAEMON) $(LAUNCHER) $(FORK) $(BROKER) $(ENGINE) $(REMOTE) $(ENTRY) $(STEWARD) $(POLICY) $(SCAN) $(LEDGER) $(SHARE)/.stamp

$(B)/static/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC) -c $< -o $@

$(B)/dynamic/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC) $(SAN) -c $< -o $@

# its headers name functions that are poison to us: they come first
$(B)/dynamic/postgres/%.o: COMMON := $(if $(PQ),-idirafter $(dir $(PQ_HEADER)) -include $(PQ_HEADER)) $(COMMON)

$(B)/fork/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -fPIE,$(DYNAMIC)) -fPIC -fvisibility=hidden -c $< -o $@

# which it has in it
$(B)/fork/fork/main.o: guards/python_guard.py

# files that came or went since the last build: an archive is made anew, not added to
$(B)/.sources: FORCE
	@mkdir -p $(B); echo '$(sort $(wildcard src/*/*.c))' | cmp -s - $@ || echo '$(sort $(wildcard src/*/*.c))' > $@
define library_rule
$(B)/$(1)/lib$(2).a: $(call objects,$(1),$(call sources,$(2))) $(B)/.sources modules.mk
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(Q)$$(AR) rcs $$@ $$(filter %.o,$$^)
endef
$(foreach how,static dynamic fork,$(foreach library,$(LIBRARIES),$(eval $(call library_rule,$(how),$(library)))))

$(AGENT): MORE := $(SODIUM)
$(AGENT): $(call parts,static,sandbox-agent)
$(LAUNCHER): $(call parts,static,sandbox-launcher)
$(B)/libexec/sandbox-agent/sandbox-broker: $(call parts,static,sandbox-broker)
$(AGENT) $(LAUNCHER) $(B)/libexec/sandbox-agent/sandbox-broker:
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC_LD) $(link) -o $@

# without their symbols: every session, every container gets a copy of its own
$(STEWARD): $(call parts,static,sandbox-steward)
$(B)/libexec/sandbox-agent/sandbox-entry: $(call parts,static,sandbox-entry)
$(STEWARD) $(B)/libexec/sandbox-agent/sandbox-entry:
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC_LD) -s $(link) -o $@

# the launcher once more, in a python that is forked (launch/template.h)
$(FORK): $(call parts,fork,sandbox-fork)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -pie,$(DYNAMIC_LD)) -shared -s $(link) -o $@

$(B)/libexec/sandbox-agent/sandbox-engine: $(call parts,dynamic,sandbox-engine)
$(REMOTE): $(call parts,dynamic,sandbox-remote)
$(POLICY): $(call parts,dynamic,sandbox-policy)
$(B)/bin/sandboxd: $(call parts,dynamic,sandboxd) $(PAGE)
$(POLICY) $(REMOTE) $(B)/libexec/sandbox-agent/sandbox-engine $(B)/bin/sandboxd:
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC_LD) $(SAN) $(link) -o $@ $(call needs,$(@F)) -pthread

$(B)/libexec/sandbox-agent/sandbox-scan: $(call parts,dynamic,sandbox-scan) $(GRAMMAR_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -pie,$(DYNAMIC_LD)) $(if $(SAN),-pie,$(SCAN_LD)) $(SAN) $(link) -o $@ $(call needs,$(@F))

$(B)/libexec/sandbox-agent/sandbox-ledger: $(call parts,dynamic,sandbox-ledger)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -pie,$(DYNAMIC_LD)) $(if $(SAN),-pie,$(LEDGER_LD)) $(SAN) $(link) -o $@ $(call needs,$(@F)) 2>$@.log || { cat $@.log; exit 1; }
	@rm -f $@.log

# the operator's page: three files as C arrays; without esbuild an empty table, and /ui/ says so
$(B)/.page: FORCE
	@mkdir -p $(B); echo '$(wildcard node_modules/@esbuild/linux-*/bin/esbuild)' | cmp -s - $@ || echo '$(wildcard node_modules/@esbuild/linux-*/bin/esbuild)' > $@
$(B)/ui/files.c: ui/build.sh $(wildcard ui/*.ts ui/*.tsx ui/*.css ui/*.html) package-lock.json $(B)/.page
	$(Q)ui/build.sh $(B)/ui
$(PAGE): $(B)/ui/files.c src/daemon/ui.h
	$(Q)$(CC) $(DYNAMIC) $(SAN) -c $< -o $@

# third-party C: our warnings are not for it
define grammar_rule
$(GRAMMAR_DIR)/$(1)/%.o: node_modules/tree-sitter-$(1)/src/%.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) -std=gnu11 -O2 -fPIE -w -Inode_modules/tree-sitter-$(1)/src -c $$< -o $$@
endef
$(foreach g,$(GRAMMARS),$(eval $(call grammar_rule,$(g))))
# grammars that came or went since the last build
$(B)/.grammars: FORCE
	@mkdir -p $(B); echo '$(GRAMMAR_FLAGS)' | cmp -s - $@ || echo '$(GRAMMAR_FLAGS)' > $@
	@$(if $(NO_GRAMMARS),echo 'sandbox-scan: no grammar for $(NO_GRAMMARS) (patterns only): make node_modules/.stamp' >&2)
$(B)/dynamic/scan/%.o: COMMON += $(GRAMMAR_FLAGS)
$(B)/dynamic/scan/grammar.o: $(B)/.grammars

node_modules/.stamp: package.json package-lock.json
	/usr/bin/python3 scripts/fetch_grammars.py

$(SHARE)/.stamp: $(wildcard profiles/*.yaml guards/*.py guards/*.js guards/*.sh rules/*.yaml rules/*.weights rules/README.md) | $(SCAN)
	@mkdir -p $(SHARE)/profiles $(SHARE)/guards $(SHARE)/rules
	$(if $(SCAN),$(Q)$(EMULATOR) $(SCAN) --check --rules rules >/dev/null)
	$(Q)[ ! -d rules ] || cp rules/*.yaml rules/*.weights rules/README.md $(SHARE)/rules/
	$(Q)cp profiles/*.yaml $(SHARE)/profiles/
	$(Q)cp guards/*.py guards/*.js guards/*.sh $(SHARE)/guards/
	@touch $@

# --- tests --------------------------------------------------------------------------------------

# everything but the programs' mains, for unit tests and fuzz targets; SAN adds a sanitizer, in a tree of its own
MAINS    := $(wildcard src/*/main.c)
LIBRARY  := $(call objects,dynamic,$(filter-out $(MAINS) $(ABSENT) src/audit/sha256_sodium.c,$(wildcard src/*/*.c))) $(PAGE)
UNIT_SRC := $(filter-out $(if $(PQ),,%postgres.c),$(wildcard tests/unit/test_*.c))
FUZZERS  := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

# what is tested is as it is delivered; the tests themselves take half the time to compile so
TEST_OPT ?= -O1
$(B)/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC) $(SAN) $(TEST_OPT) -Itests/unit -Wno-missing-prototypes -c $< -o $@

$(B)/tests/unit/%postgres.o: COMMON := $(if $(PQ),-idirafter $(dir $(PQ_HEADER)) -include $(PQ_HEADER)) $(COMMON)
$(B)/unit/run: $(patsubst tests/%.c,$(B)/tests/%.o,$(UNIT_SRC)) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC_LD) $(SAN) $^ -o $@ $(ALL_LIBS)

$(B)/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/driver.o $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC_LD) $(SAN) $^ -o $@ $(ALL_LIBS)

$(B)/unit/run $(FUZZERS): $(GRAMMAR_OBJECTS)
unit: $(B)/unit/run
fuzz: $(FUZZERS)

# gcc's analyzer over every file; its findings are errors
analyze:
	@$(MAKE) -s B=$(B)/analyze SAN='-fanalyzer -Wno-analyzer-fd-leak' analyze-objects
analyze-objects: $(LIBRARY) $(call objects,dynamic,$(MAINS))

check: all
	./check

format:
	clang-format -i $$(git ls-files '*.[ch]' ':!bench/blind*' ':!bench/mended*') # these are frozen by their hashes

# what sandbox-agent is linked from, without its main(): for bench/build.sh
agent-objects:
	@echo -Wl,--start-group $(filter %.a,$(call parts,static,sandbox-agent)) $(SODIUM) -Wl,--end-group
daemon-objects:
	@echo -Wl,--start-group $(call parts,dynamic,sandboxd) $(PAGE) -Wl,--end-group
daemon-libraries:
	@echo $(call needs,sandboxd) -pthread

# What ./check has no time for, whole (./check runs a part of each): attacks from within sessions and waiting interpreters, hostile trees, short programs,
# secrets and kills of forks. An hour and a half
PROOFS := tests/escape/test_escape.py $(patsubst %,tests/integration/service/test_%.py,warm hostile_trees short_programs)
proof: all
	SANDBOX_TEST_PROOF=all SANDBOX_TEST_AS=root $(PYTHON) -m pytest -q -n 2 -p no:cacheprovider -rs $(PROOFS) -k "elsewhere or short or trees or walks or kills or nothing_of"

# Sessions in use while launcher and service die: SOAK_SECONDS (an hour), SOAK_SEED. Then, as root, a fleet whose parts
# fail: FLEET_SOAK_SECONDS (half an hour), SOAK_SEED
soak: all
	SOAK_SECONDS=$${SOAK_SECONDS:-3600} SANDBOX_TEST_AS=root $(PYTHON) -m pytest -q -p no:cacheprovider tests/integration/service/test_soak.py
	FLEET_SOAK_SECONDS=$${FLEET_SOAK_SECONDS:-1800} SANDBOX_TEST_AS=root $(PYTHON) -m pytest -q -p no:cacheprovider -rs tests/integration/service/test_fleet_soak.py

bench: all
	bench/run.sh
	@echo 'The brokered network and the watch, about seven minutes: bench/network.sh (bench/README.md)'

# --- installation -------------------------------------------------------------------------------

BIN_DIR     = $(DESTDIR)$(PREFIX)/bin
LIBEXEC_DIR = $(DESTDIR)$(PREFIX)/libexec/sandbox-agent
SHARE_DIR   = $(DESTDIR)$(PREFIX)/share/sandbox-agent
MAN_DIR     = $(DESTDIR)$(PREFIX)/share/man/man1
COMPLETION_DIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
SYSTEMD_DIR = $(DESTDIR)$(PREFIX)/lib/systemd/system
UNITS       := sandboxd.service sandboxd.socket sandbox-launcher.socket sandbox-launcher@.service

install: all install-service
	install -d $(BIN_DIR) $(LIBEXEC_DIR) $(MAN_DIR) $(COMPLETION_DIR) $(patsubst %,$(SHARE_DIR)/%,profiles guards apparmor selinux rules)
	install -m 755 $(AGENT) $(DAEMON) $(BIN_DIR)/
	install -m 755 $(LAUNCHER) $(BROKER) $(ENGINE) $(REMOTE) $(ENTRY) $(STEWARD) $(POLICY) $(SCAN) $(LEDGER) $(LIBEXEC_DIR)/
	install -m 644 $(FORK) $(LIBEXEC_DIR)/
	install -m 644 profiles/*.yaml $(SHARE_DIR)/profiles/
	install -m 644 guards/*.py guards/*.js guards/*.sh $(SHARE_DIR)/guards/
	[ ! -d rules ] || install -m 644 rules/*.yaml rules/*.weights rules/README.md $(SHARE_DIR)/rules/
	install -m 644 deploy/apparmor/* $(SHARE_DIR)/apparmor/
	install -m 644 deploy/selinux/* $(SHARE_DIR)/selinux/
	install -m 644 docs/sandbox-agent.1 $(MAN_DIR)/
	install -m 644 deploy/sandbox-agent.bash $(COMPLETION_DIR)/sandbox-agent

# What only the service needs: units with the paths of this installation, its user, the API's description, and clients.
install-service:
	install -d $(SYSTEMD_DIR) $(DESTDIR)$(PREFIX)/lib/sysusers.d $(DESTDIR)$(PREFIX)/lib/tmpfiles.d $(SHARE_DIR)
	for unit in $(UNITS); do \
	    sed 's|@bindir@|$(PREFIX)/bin|; s|@libexecdir@|$(PREFIX)/libexec/sandbox-agent|' deploy/systemd/$$unit >$(SYSTEMD_DIR)/$$unit && \
	    chmod 644 $(SYSTEMD_DIR)/$$unit || exit 1; done
	install -m 644 deploy/systemd/sysusers.conf $(DESTDIR)$(PREFIX)/lib/sysusers.d/sandbox-agent.conf
	install -m 644 deploy/systemd/tmpfiles.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/sandbox-agent.conf
	[ ! -e docs/openapi.yaml ] || install -m 644 docs/openapi.yaml $(SHARE_DIR)/
	for tree in sdk integrations; do [ ! -d $$tree ] || \
	    (find $$tree -type f ! -path '*/tests/*' ! -path '*/__pycache__/*' ! -name '*.pyc' -exec install -D -m 644 '{}' $(SHARE_DIR)/'{}' ';') || exit 1; done

uninstall:
	rm -f $(BIN_DIR)/sandbox-agent $(BIN_DIR)/sandboxd $(MAN_DIR)/sandbox-agent.1 $(COMPLETION_DIR)/sandbox-agent \
	    $(patsubst %,$(SYSTEMD_DIR)/%,$(UNITS)) $(DESTDIR)$(PREFIX)/lib/sysusers.d/sandbox-agent.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/sandbox-agent.conf
	rm -rf $(LIBEXEC_DIR) $(SHARE_DIR)

# build/sandbox-agent_VERSION_ARCH.deb
deb: all
	VERSION=$(VERSION) deploy/debian/build.sh $(B)

clean:
	rm -rf $(B)

-include $(shell find $(B)/static $(B)/dynamic $(B)/fork $(B)/tests -name '*.d' -type f 2>/dev/null)

FORCE:
.PHONY: all unit fuzz format analyze analyze-objects agent-objects daemon-objects daemon-libraries check bench proof soak install install-service uninstall deb clean FORCE
