# Two compilers, ten programs:
#   sandbox-agent, sandbox-launcher   static, musl: their start-up is part of every run (0.09 ms instead of 0.44);
#                                     the first with libsodium's objects (audit), the second with libc and nothing else
#   sandbox-broker, sandbox-entry     static, musl: libc and nothing else; the latter runs in containers of any image
#   sandbox-steward                   static, musl: libc and nothing else; the program of a session's sandbox
#   sandbox-policy                    dynamic, glibc: libyaml, jansson
#   sandbox-scan                      glibc, static if it can be: tree-sitter with grammars from npm's registry, pcre2, libyaml
#   sandboxd                          dynamic, glibc: libmicrohttpd (with GnuTLS), jansson, libcurl, SQLite, libsodium
#   sandbox-engine                    dynamic, glibc: libcurl, jansson
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

BASE     := $(wildcard src/base/*.c)
FILTER   := $(filter-out src/filter/oci.c src/filter/jsonline.c,$(wildcard src/filter/*.c))
CONFIG   := $(filter-out src/config/yaml.c,$(wildcard src/config/*.c))

AGENT_SRC    := $(BASE) $(CONFIG) $(wildcard src/plan/*.c src/policy/*.c src/watch/*.c src/net/*.c src/audit/*.c src/run/*.c src/cli/*.c) \
                $(wildcard $(patsubst %,src/scan/%.c,report client cache stamp print worker_error command)) $(wildcard $(patsubst %,src/store/%.c,message remote key_words)) src/filter/syscalls.c \
                src/packages/store.c
LAUNCHER_SRC := $(BASE) src/plan/plan.c $(wildcard src/launch/*.c src/notify/*.c) src/watch/event.c src/filter/eval.c
POLICY_SRC   := $(BASE) src/plan/plan.c src/plan/fault.c $(wildcard src/config/*.c src/filter/*.c src/policy/*.c src/watch/*.c src/net/*.c src/tool/*.c) $(patsubst %,src/engine/%.c,connect caller version answer)
SCAN_SRC     := $(BASE) $(filter-out $(patsubst %,src/scan/%.c,client cache command),$(wildcard src/scan/*.c))
BROKER_SRC   := $(BASE) $(filter-out src/net/make.c src/net/learn.c,$(wildcard src/net/*.c)) $(wildcard src/notify/*.c src/broker/*.c) src/watch/event.c \
                src/filter/eval.c
# the launcher once more, in a python that is forked (launch/template.h)
FORK_SRC     := $(filter-out src/launch/main.c,$(LAUNCHER_SRC)) src/fork/main.c
STEWARD_SRC  := $(BASE) src/plan/plan.c $(wildcard src/steward/*.c src/files/*.c)
ENTRY_SRC    := $(BASE) $(wildcard src/entry/*.c src/notify/*.c) src/watch/event.c src/filter/eval.c
DAEMON_SRC   := $(BASE) $(CONFIG) $(wildcard src/plan/*.c src/policy/*.c src/watch/*.c src/net/*.c src/audit/*.c src/run/*.c src/session/*.c src/files/*.c src/kernel/*.c src/http/*.c src/daemon/*.c src/front/*.c src/store/*.c src/packages/*.c) \
                src/ledger/serve.c $(wildcard $(patsubst %,src/scan/%.c,report client cache stamp print worker_error command)) src/filter/syscalls.c src/engine/connect.c src/engine/caller.c src/cli/signals.c
# what frames and plans are made of, and the engine's side; the program inside is sandbox-entry's
ENGINE_SRC   := $(BASE) src/plan/plan.c src/plan/container.c src/watch/event.c $(wildcard src/engine/*.c src/entry/frame.c)
LEDGER_SRC   := $(BASE) $(wildcard src/policy/*.c src/ledger/*.c) $(filter-out src/store/remote.c,$(wildcard src/store/*.c)) \
                $(CONFIG) $(wildcard src/plan/*.c src/scan/report.c)

# libsodium.a of Debian is glibc's: src/audit/sodium.c says what musl lacks for it
SODIUM   := $(firstword $(wildcard /usr/lib/$(MULTIARCH)/libsodium.a /usr/lib/libsodium.a) -lsodium)
SCAN_LIBS := -ltree-sitter -lpcre2-8 -lyaml
# as one static file where the libraries are there as such: its start is part of the first run of each program (1.9 ms, not 2.4)
SCAN_LD  := $(if $(and $(if $(IS_CLANG),,yes),$(wildcard /usr/lib/$(MULTIARCH)/libtree-sitter.a),$(wildcard /usr/lib/$(MULTIARCH)/libpcre2-8.a),\
              $(wildcard /usr/lib/$(MULTIARCH)/libyaml.a)),-static-pie,-pie)
LEDGER_LIBS := -lsqlite3 -lm
# likewise (0.4 ms of CPU, not 0.8): a known agent's run starts one. Its linker warns that dlopen() is in there: nothing loads an extension
LEDGER_LD := $(if $(and $(if $(IS_CLANG),,yes),$(wildcard /usr/lib/$(MULTIARCH)/libsqlite3.a)),-static-pie,-pie)
ENGINE_LIBS := -lcurl -ljansson
DAEMON_LIBS := -lmicrohttpd -ljansson -lsodium -lcurl $(LEDGER_LIBS) -pthread
ALL_LIBS := $(DAEMON_LIBS) $(SCAN_LIBS)

# grammars: what scripts/fetch_grammars.py laid into node_modules. Without it sandbox-scan has patterns only, and every report says so.
# not sanitized, so a build with the same compiler may share another's
GRAMMAR_DIR ?= $(B)/grammar
GRAMMARS := $(patsubst node_modules/tree-sitter-%/src/parser.c,%,$(wildcard node_modules/tree-sitter-*/src/parser.c))
GRAMMAR_OBJECTS := $(foreach g,$(GRAMMARS),$(patsubst node_modules/tree-sitter-$(g)/src/%.c,$(GRAMMAR_DIR)/$(g)/%.o,\
                     $(wildcard node_modules/tree-sitter-$(g)/src/*.c)))
GRAMMAR_FLAGS := $(patsubst %,-DHAVE_GRAMMAR_%,$(GRAMMARS))

AGENT    := $(B)/bin/sandbox-agent
LAUNCHER := $(B)/libexec/sandbox-agent/sandbox-launcher
FORK     := $(B)/libexec/sandbox-agent/sandbox-fork.so
POLICY   := $(B)/libexec/sandbox-agent/sandbox-policy
BROKER   := $(if $(wildcard src/broker/main.c),$(B)/libexec/sandbox-agent/sandbox-broker)
STEWARD  := $(B)/libexec/sandbox-agent/sandbox-steward
ENTRY    := $(if $(wildcard src/entry/main.c),$(B)/libexec/sandbox-agent/sandbox-entry)
SCAN     := $(if $(wildcard src/scan/main.c),$(B)/libexec/sandbox-agent/sandbox-scan)
LEDGER   := $(if $(wildcard src/ledger/main.c),$(B)/libexec/sandbox-agent/sandbox-ledger)
ENGINE   := $(if $(wildcard src/engine/main.c),$(B)/libexec/sandbox-agent/sandbox-engine)
DAEMON   := $(if $(wildcard src/daemon/main.c),$(B)/bin/sandboxd)
SHARE    := $(B)/share/sandbox-agent

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

static_objects  = $(patsubst src/%.c,$(B)/static/%.o,$(1))
dynamic_objects = $(patsubst src/%.c,$(B)/dynamic/%.o,$(1))

all: $(AGENT) $(DAEMON) $(LAUNCHER) $(FORK) $(BROKER) $(ENGINE) $(ENTRY) $(STEWARD) $(POLICY) $(SCAN) $(LEDGER) $(SHARE)/.stamp

$(B)/static/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC) -c $< -o $@

$(B)/dynamic/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC) $(SAN) -c $< -o $@

$(AGENT): $(call static_objects,$(AGENT_SRC))
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC_LD) $^ $(if $(wildcard src/audit/*.c),$(SODIUM)) -o $@

$(LAUNCHER): $(call static_objects,$(LAUNCHER_SRC))
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC_LD) $^ -o $@

$(B)/fork/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -fPIE,$(DYNAMIC)) -fPIC -fvisibility=hidden -c $< -o $@

$(FORK): $(patsubst src/%.c,$(B)/fork/%.o,$(FORK_SRC))
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -pie,$(DYNAMIC_LD)) -shared -s $^ -o $@

$(B)/libexec/sandbox-agent/sandbox-broker: $(call static_objects,$(BROKER_SRC))
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC_LD) $^ -o $@

$(B)/libexec/sandbox-agent/sandbox-engine: $(call dynamic_objects,$(ENGINE_SRC))
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC_LD) $(SAN) $^ -o $@ $(ENGINE_LIBS)

# without its symbols: every session gets a copy of its own
$(STEWARD): $(call static_objects,$(STEWARD_SRC))
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC_LD) -s $^ -o $@

# without its symbols: every container gets a copy of its own
$(B)/libexec/sandbox-agent/sandbox-entry: $(call static_objects,$(ENTRY_SRC))
	@mkdir -p $(@D)
	$(Q)$(MUSL) $(STATIC_LD) -s $^ -o $@

$(POLICY): $(call dynamic_objects,$(POLICY_SRC))
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC_LD) $(SAN) $^ -o $@ -lyaml -ljansson

$(B)/libexec/sandbox-agent/sandbox-scan: $(call dynamic_objects,$(SCAN_SRC)) $(GRAMMAR_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -pie,$(DYNAMIC_LD)) $(if $(SAN),-pie,$(SCAN_LD)) $(SAN) $^ -o $@ $(SCAN_LIBS)

$(B)/libexec/sandbox-agent/sandbox-ledger: $(call dynamic_objects,$(LEDGER_SRC))
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -pie,$(DYNAMIC_LD)) $(if $(SAN),-pie,$(LEDGER_LD)) $(SAN) $^ -o $@ $(LEDGER_LIBS) 2>$@.log || { cat $@.log; exit 1; }
	@rm -f $@.log

# the operator's page: three files as C arrays; without esbuild an empty table, and /ui/ says so
PAGE := $(B)/ui/files.o
$(B)/.page: FORCE
	@mkdir -p $(B); echo '$(wildcard node_modules/@esbuild/linux-*/bin/esbuild)' | cmp -s - $@ || echo '$(wildcard node_modules/@esbuild/linux-*/bin/esbuild)' > $@
$(B)/ui/files.c: ui/build.sh $(wildcard ui/*.ts ui/*.tsx ui/*.css ui/*.html) package-lock.json $(B)/.page
	$(Q)ui/build.sh $(B)/ui
$(PAGE): $(B)/ui/files.c src/daemon/ui.h
	$(Q)$(CC) $(DYNAMIC) $(SAN) -c $< -o $@

$(B)/bin/sandboxd: $(call dynamic_objects,$(DAEMON_SRC)) $(PAGE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC_LD) $(SAN) $^ -o $@ $(DAEMON_LIBS)

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
$(B)/dynamic/scan/%.o: COMMON += $(GRAMMAR_FLAGS)
$(B)/dynamic/scan/grammar.o: $(B)/.grammars

node_modules/.stamp: package.json package-lock.json
	/usr/bin/python3 scripts/fetch_grammars.py

$(SHARE)/.stamp: $(wildcard profiles/*.yaml guards/*.py guards/*.js guards/*.sh rules/*.yaml rules/README.md) | $(SCAN)
	@mkdir -p $(SHARE)/profiles $(SHARE)/guards $(SHARE)/rules
	$(if $(SCAN),$(Q)$(EMULATOR) $(SCAN) --check --rules rules >/dev/null)
	$(Q)[ ! -d rules ] || cp rules/*.yaml rules/README.md $(SHARE)/rules/
	$(Q)cp profiles/*.yaml $(SHARE)/profiles/
	$(Q)cp guards/*.py guards/*.js guards/*.sh $(SHARE)/guards/
	@touch $@

# --- tests --------------------------------------------------------------------------------------

# everything but the programs' mains, for unit tests and fuzz targets; SAN adds a sanitizer, in a tree of its own
MAINS    := $(foreach d,cli tool launch fork scan ledger broker engine entry steward daemon,$(wildcard src/$(d)/main.c))
LIBRARY_SRC := $(sort $(filter-out $(MAINS),$(AGENT_SRC) $(LAUNCHER_SRC) $(BROKER_SRC) $(ENTRY_SRC) $(STEWARD_SRC) $(POLICY_SRC) $(SCAN_SRC) $(LEDGER_SRC) $(ENGINE_SRC) $(DAEMON_SRC)))
LIBRARY  := $(sort $(call dynamic_objects,$(LIBRARY_SRC))) $(PAGE)
UNIT_SRC := $(wildcard tests/unit/test_*.c)
FUZZERS  := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

# what is tested is as it is delivered; the tests themselves take half the time to compile so
TEST_OPT ?= -O1
$(B)/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC) $(SAN) $(TEST_OPT) -Itests/unit -Wno-missing-prototypes -c $< -o $@

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
analyze-objects: $(LIBRARY) $(call dynamic_objects,$(MAINS))

check: all
	./check

format:
	clang-format -i $$(git ls-files '*.[ch]')

# what sandbox-agent is linked from, without its main(): for bench/build.sh
agent-objects:
	@echo $(filter-out $(B)/static/cli/main.o,$(call static_objects,$(AGENT_SRC))) $(SODIUM)

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
	install -m 755 $(LAUNCHER) $(BROKER) $(ENGINE) $(ENTRY) $(STEWARD) $(POLICY) $(SCAN) $(LEDGER) $(LIBEXEC_DIR)/
	install -m 644 $(FORK) $(LIBEXEC_DIR)/
	install -m 644 profiles/*.yaml $(SHARE_DIR)/profiles/
	install -m 644 guards/*.py guards/*.js guards/*.sh $(SHARE_DIR)/guards/
	[ ! -d rules ] || install -m 644 rules/*.yaml rules/README.md $(SHARE_DIR)/rules/
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

-include $(shell find $(B)/static $(B)/dynamic $(B)/tests -name '*.d' -type f 2>/dev/null)

FORCE:
.PHONY: all unit fuzz format analyze analyze-objects agent-objects check bench install install-service uninstall deb clean FORCE
