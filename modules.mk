# Which module may include which, and what each program is linked from. One list: the Makefile links by it, and
# tests/integration/test_docs.py compares it with the sources, with the programs and with ARCHITECTURE.md's tables.
#
# uses.MODULE: the modules whose headers its files may include; module/header: that header and no other.
uses.base     :=
uses.config   := base
uses.filter   := base
uses.plan     := base config net/make steward/protocol
uses.notify   := base filter/filter filter/syscalls watch/event
uses.watch    := base config filter/syscalls
uses.net      := base config watch/event
uses.broker   := base net notify filter/syscalls
uses.policy   := base config plan
uses.scan     := base config plan policy
uses.store    := base policy
uses.sql      := base store
uses.sqlite   := base sql/sql store
uses.postgres := base sql/sql store
uses.ledger   := base sqlite/sqlite store
uses.audit    := base config
uses.launch   := base plan/plan filter/filter filter/syscalls notify/notify broker/start
uses.fork     := base launch
uses.engine   := base plan/plan plan/container entry/frame watch/event
uses.remote   := base plan/plan plan/remote audit/hmac daemon/service_client
uses.entry    := base filter/filter filter/syscalls notify/notify plan/plan
uses.steward  := base plan/plan files/remote
uses.session  := base kernel plan run/client steward/protocol watch/event
uses.tool     := base config engine/connect engine/version engine/answer filter net plan/fault policy watch
uses.files    := base
uses.packages := base audit/digest
uses.kernel   := base audit/hmac
uses.http     := base
uses.front    := audit/chain audit/hmac audit/line base config/language daemon http run
uses.run      := base config packages/store plan policy scan store audit watch net
uses.cli      := base audit config/language config/profile files/files plan policy run scan store watch
uses.daemon   := audit base config engine/connect front http kernel/frame ledger/serve net packages plan policy \
                 postgres/postgres run scan session files sql/copy sqlite/sqlite store watch

# A module is one library, without its main.c; the linker takes of it what is needed. These files of modules are
# libraries of their own, since a program that needs them shall not compile the rest with its compiler: what small
# programs say to each other, and the client's side of the scan.
library.messages := plan/plan watch/event filter/eval filter/syscalls
library.report   := scan/report scan/client scan/cache scan/stamp scan/print scan/worker_error scan/command
# SHA-256, once a program: nettle's uses the processor's instructions for it, where there are any, and is five times as
# fast. It is GnuTLS's, so that sandboxd has it anyway; the command line has libsodium's.
library.sha256-sodium := audit/sha256_sodium
library.sha256-nettle := audit/sha256_nettle

# PostgreSQL's client, where it is; without it src/postgres is absent.c, and the store is SQLite's only.
PQ_HEADER := $(firstword $(wildcard /usr/include/postgresql/libpq-fe.h /usr/include/libpq-fe.h))
PQ        := $(if $(PQ_HEADER),pq)
without.postgres := $(if $(PQ),absent.c,$(filter-out absent.c,$(notdir $(wildcard src/postgres/*.c))))

# links.PROGRAM: the module of its main.c, then the libraries.
# needs.PROGRAM: other people's libraries, as ld calls them; sandbox-agent's is an archive (SODIUM).
links.sandbox-agent    := cli run report store policy watch net audit sha256-sodium plan packages files config \
                          messages base
needs.sandbox-agent    :=
links.sandboxd         := daemon front session files kernel http run report ledger sqlite postgres sql store policy watch net audit \
                          sha256-nettle plan packages engine config messages base
needs.sandboxd         := microhttpd gnutls nettle jansson sodium curl sqlite3 pq
links.sandbox-launcher := launch notify messages base
needs.sandbox-launcher :=
links.sandbox-fork     := fork launch notify messages base
needs.sandbox-fork     :=
links.sandbox-broker   := broker net notify messages base
needs.sandbox-broker   :=
links.sandbox-steward  := steward files messages base
needs.sandbox-steward  :=
links.sandbox-entry    := entry notify messages base
needs.sandbox-entry    :=
links.sandbox-engine   := engine entry plan messages base
needs.sandbox-engine   := curl jansson
links.sandbox-remote   := remote daemon http audit plan messages base
needs.sandbox-remote   := curl jansson sodium
links.sandbox-policy   := tool engine policy watch net plan filter config messages base
needs.sandbox-policy   := yaml jansson
links.sandbox-scan     := scan report config messages base
needs.sandbox-scan     := tree-sitter pcre2-8 yaml
links.sandbox-ledger   := ledger sqlite sql store policy plan config messages base
needs.sandbox-ledger   := sqlite3 m
