# Gradus.  `make help` lists the targets.
#
#   CC=clang     another compiler (everything is rebuilt when CC or a flag changes)
#   MODE=asan    build/asan/ instead of build/: address and undefined-behaviour sanitizers, and
#                graph_verify() after every pass
#   J=1          how many jobs at once (default: one per processor)
#   V=1          show the commands
#
# A new .c file needs no entry here: each folder is listed by wildcard.

VERSION := 0.1.0
MODE    ?= release
PREFIX  ?= /usr/local
PYTHON  := /usr/bin/python3
ifeq ($(origin CC),default)
CC := gcc
endif

# Parallel; each recipe's output stays in one piece (a recipe line starting with + is shown as it runs).
J ?= $(shell nproc 2>/dev/null || echo 1)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(J) --output-sync=target --no-print-directory --no-builtin-rules
endif
.DELETE_ON_ERROR:

# ---- Flags -------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
BASE := -std=c11 -D_GNU_SOURCE -ffp-contract=off -Icore -I.

ifeq ($(MODE),release)
B     := build
OPT   := -O2 -g1
else ifeq ($(MODE),asan)
B     := build/asan
# Lines for stack traces, no more: it is a third less to write and link.
OPT   := -O1 -g1 -DGRADUS_VERIFY -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else ifeq ($(MODE),fuzz)
# Coverage for libFuzzer, which only clang has.
B     := build/fuzz
CC    := clang
OPT   := -O1 -g1 -DGRADUS_VERIFY -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
else
$(error MODE is release, asan or fuzz)
endif

CFLAGS  ?=
LDFLAGS ?=
COMPILE  = $(CC) $(BASE) -I$(B) $(OPT) $(WARN) $(CFLAGS)
LINK     = $(CC) $(OPT) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed
# The tests are many programs: where there is a faster linker, it halves the time to link them.
LINK_TEST = $(LINK) $(if $(shell command -v ld.gold),-fuse-ld=gold)

# Libraries that nothing refers to are dropped.  libm brings libmvec along where the C library has it.
CORE_LIBS := -llapacke -lopenblas -lxxhash -lz -lm
REPL_LIBS := -lreadline -ljansson
# Without librsvg PNG and PDF are drawn by Graphviz alone, plainer, and gradus-draw says so.
RSVG      := $(shell pkg-config --exists librsvg-2.0 2>/dev/null && echo librsvg-2.0)
RSVG_LIBS := $(if $(RSVG),$(shell pkg-config --libs $(RSVG)))
DRAW_LIBS := -lgvc -lcgraph -lcdt -ljansson $(RSVG_LIBS) $(CORE_LIBS)
TEST_LIBS := -lcmocka $(REPL_LIBS) $(DRAW_LIBS)

# ---- Sources -----------------------------------------------------------------

CORE_SRC := $(wildcard core/*.c core/*/*.c core/*/*/*.c)
DRAW_SRC := $(wildcard viz/draw/*.c)
VIZ_SRC  := $(wildcard viz/canvas/*.c viz/plot/*.c viz/scene/*.c viz/page/*.c viz/film/*.c viz/boxes/*.c)
MAIN_SRC := repl/prompt/main.c
REPL_SRC := $(filter-out $(MAIN_SRC),$(wildcard repl/*/*.c))
# A test file with a main() is a program; the others are helpers that all programs may use.
TEST_SRC  := $(wildcard tests/unit/*.c tests/prop/*.c tests/soak/*.c)
TEST_MAIN := $(if $(TEST_SRC),$(shell grep -lE '^int main' $(TEST_SRC)))
TEST_HELP := $(filter-out $(TEST_MAIN),$(TEST_SRC))
FUZZ_SRC  := $(wildcard tests/fuzz/*.c)
# Text that is compiled in.
EMBED := $(wildcard core/lang/*.gr core/session/*.gr core/session/*.md) \
         core/tensor/philox.c core/tensor/philox_isa.h core/tensor/kernels_math.c core/tensor/kernels_sort.c core/tensor/small.h core/tensor/extreme.h \
         $(sort $(wildcard core/rewrite/rules/*.rules)) $(sort $(wildcard repl/teach/lessons/*.md)) \
         $(sort $(wildcard viz/page/*.html viz/page/*.css viz/page/*.js viz/film/*.html viz/film/*.css viz/film/*.js))

objects   = $(patsubst %.c,$(B)/obj/%.o,$(1))
EMBED_OBJ := $(B)/embed/embed.o
LIBS      := $(B)/librepl.a $(B)/libviz.a $(B)/libcore.a
GRADUS    := $(if $(MAIN_SRC),$(B)/gradus)
DRAW      := $(if $(DRAW_SRC),$(if $(shell grep -lE '^int main' $(DRAW_SRC)),$(B)/gradus-draw))
TESTS     := $(patsubst %.c,$(B)/tests/%,$(notdir $(TEST_MAIN)))
FUZZERS   := $(patsubst %.c,$(B)/tests/%,$(notdir $(FUZZ_SRC)))

ifdef V
say = @:
else
say = @printf '  %-6s %s\n'
Q   = @
endif

# ---- Targets -----------------------------------------------------------------

.DEFAULT_GOAL := all

# Where install puts things, below DESTDIR and PREFIX.
PLACE := $(DESTDIR)$(PREFIX)
DOC := share/doc/gradus
MAN := share/man/man1/gradus.1
SCHEMA := share/gradus/output.schema.json
COMPLETIONS := share/bash-completion/completions/gradus share/zsh/site-functions/_gradus \
  share/fish/vendor_completions.d/gradus.fish

.PHONY: all demo test soak asan bless language weave bench browser fuzz format lint install uninstall deb clean help programs tests fuzzers check-deps FORCE

all: check-deps             ## build build/gradus and build/gradus-draw (default)
	+@$(MAKE) programs

demo:                       ## install what is missing, build, run the main job on a real example
	+@scripts/deps.sh build
	+@$(MAKE) programs
	+@scripts/demo.sh

test:                       ## install what is missing, build, run all tests; last line: N passed, N failed
	+@scripts/deps.sh test
	+@$(MAKE) programs tests fuzzers
	+@scripts/test.sh

soak:                       ## the same for what needs longer: with sanitizers, more cases, fuzzers
	+@scripts/deps.sh test
	+@scripts/deps.sh soak || :
	+@$(MAKE) programs tests
	+@$(MAKE) MODE=asan programs tests fuzzers
	+@scripts/test.sh --soak

asan:                       ## build build/asan/: address and undefined-behaviour sanitizers
	+@$(MAKE) MODE=asan programs tests

bless: programs             ## rewrite the expected part of tests/golden (FILTER=words selects), and weave
	+@$(PYTHON) tests/golden.py --bless $(FILTER)
	+@$(PYTHON) tests/drawings.py --bless $(FILTER)
	+@$(PYTHON) tests/screen/screen.py --bless $(FILTER)
	+@$(if $(FILTER),:,$(MAKE) weave)

language: programs          ## write LANGUAGE.md anew, from the tables and core/session/language.md
	$(Q)$(GRADUS) --language >LANGUAGE.md.new && mv LANGUAGE.md.new LANGUAGE.md

weave: programs             ## write README.md and the pages of examples/ anew, with what their blocks give now
	+@for page in README.md $(wildcard examples/*.in.md); do \
	  out=$${page%.in.md}; GRADUS_KERNELS=base OPENBLAS_CORETYPE=Prescott $(GRADUS) weave "$$page" -o "$${out%.md}.md" || exit; done

bench: programs             ## time us beside C, NumPy, Numba and PyTorch (ARGS="lstm --native", ARGS=drawing, ARGS=--help)
	+@$(PYTHON) tests/bench/bench.py $(ARGS)

browser:                    ## install what is missing, look at the pages of :explore in headless Chromium and Firefox
	+@scripts/deps.sh browser
	+@$(MAKE) programs
	+@bash tests/browser/run.sh $(GRADUS)

fuzz:                       ## run the fuzzers and the property tests for long (MINUTES=10)
	+@$(MAKE) programs tests
	+@command -v clang >/dev/null && $(MAKE) MODE=fuzz fuzzers || echo 'no clang: only the property tests run'
	+@scripts/fuzz.sh $(MINUTES)

format:                     ## clang-format all C files (not the .def tables)
	$(Q)find core repl viz tests -name '*.[ch]' -print0 | xargs -0 -r clang-format -i

lint:                       ## layers, sizes, formatting, shellcheck
	+@scripts/lint.sh

install: programs           ## copy programs, manual page, completions, examples under PREFIX (default /usr/local)
	$(Q)install -d $(addprefix $(PLACE)/,bin $(DOC) $(dir $(MAN) $(COMPLETIONS) $(SCHEMA)))
	$(Q)install -m 755 $(GRADUS) $(DRAW) $(PLACE)/bin
	$(Q)$(GRADUS) --man >$(PLACE)/$(MAN)
	$(Q)install -m 644 repl/commands/$(notdir $(SCHEMA)) $(PLACE)/$(SCHEMA)
	$(Q)$(foreach place,$(COMPLETIONS),$(GRADUS) --completion=$(firstword $(subst -, ,$(word 2,$(subst /, ,$(place))))) >$(PLACE)/$(place) &&) :
	$(Q)cp -r LICENSE CHANGELOG.md $(wildcard README.md LANGUAGE.md) examples repl/teach/lessons $(PLACE)/$(DOC)

uninstall:                  ## remove what install copied there
	$(Q)rm -f $(addprefix $(PLACE)/,$(addprefix bin/,$(notdir $(GRADUS) $(DRAW))) $(MAN) $(COMPLETIONS) $(SCHEMA))
	$(Q)rm -rf $(PLACE)/$(DOC)

deb: programs               ## pack build/gradus_VERSION_ARCHITECTURE.deb
	+@scripts/deb.sh $(VERSION)

clean:                      ## remove build/
	$(Q)rm -rf build

help:                       ## this list
	@awk -F':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

programs: $(GRADUS) $(DRAW) $(if $(CORE_SRC),$(B)/libcore.a)
	@:
tests: $(TESTS)
	@:
fuzzers: $(FUZZERS)
	@:
check-deps:
	@scripts/deps.sh check

# ---- How things are built ----------------------------------------------------

# Stamps: a changed flag rebuilds objects, a changed list of files rebuilds what is made of it.
$(B)/flags: FORCE
	@mkdir -p $(@D); echo '$(COMPILE)' | cmp -s - $@ || echo '$(COMPILE)' > $@
$(B)/rsvg: FORCE
	@mkdir -p $(@D); echo '$(RSVG)' | cmp -s - $@ || echo '$(RSVG)' > $@
$(B)/obj/viz/draw/draw_cairo.o: $(B)/rsvg
$(B)/files: FORCE
	@mkdir -p $(@D); echo '$(CORE_SRC) $(VIZ_SRC) $(REPL_SRC) $(TEST_HELP) $(EMBED)' | cmp -s - $@ \
	  || echo '$(CORE_SRC) $(VIZ_SRC) $(REPL_SRC) $(TEST_HELP) $(EMBED)' > $@

$(B)/embed/embed.c: scripts/embed.sh $(EMBED) $(B)/files
	$(say) EMBED '$(notdir $(EMBED))'
	$(Q)scripts/embed.sh $(@D) $(EMBED)
$(B)/embed/embed.h: $(B)/embed/embed.c ;
$(EMBED_OBJ): $(B)/embed/embed.c $(B)/flags
	$(Q)$(CC) -std=c11 $(OPT) -c $< -o $@

# The names of all operators: it changes only when one comes or goes.
$(B)/embed/op_ids.def: core/ops/ops.def core/ops/elem.def Makefile
	@mkdir -p $(@D)
	@{ sed -nE 's/^OP\( *([A-Z0-9_]+),.*/OP_ID(\1)/p' core/ops/ops.def; \
	   sed -nE 's/^ELEM[12]\( *([A-Z0-9_]+),.*/ELEM_ID(\1)/p' core/ops/elem.def; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# What is generated must exist before anything is compiled; -MMD then keeps track of who reads it.
# Its square roots set no errno, or the loop around them would be no vector.
$(B)/obj/core/tensor/philox.o: EXTRA := -fno-math-errno
$(B)/obj/%.o: %.c $(B)/flags | $(B)/embed/embed.h $(B)/embed/op_ids.def
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(EXTRA) -MMD -MP -c $< -o $@

$(call objects,$(MAIN_SRC) $(REPL_SRC)): EXTRA := -DGRADUS_VERSION='"$(VERSION)"'
$(call objects,$(DRAW_SRC)): EXTRA = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags libgvc libcgraph jansson $(RSVG))) \
                                  $(if $(RSVG),-DHAVE_RSVG)
$(call objects,$(TEST_SRC)): EXTRA := -Itests -Itests/unit -Itests/prop -Wno-conversion -Wno-sign-conversion
$(call objects,$(FUZZ_SRC)): EXTRA := $(if $(filter fuzz,$(MODE)),-DFUZZ_DRIVEN)

archive = $(Q)rm -f $@; ar rcsD $@ $(filter %.o,$^)
$(B)/libcore.a: $(call objects,$(CORE_SRC)) $(EMBED_OBJ) $(B)/files
	$(archive)
$(B)/libviz.a: $(call objects,$(VIZ_SRC)) $(B)/files
	$(archive)
$(B)/librepl.a: $(call objects,$(REPL_SRC)) $(B)/files
	$(archive)
$(B)/libtest.a: $(call objects,$(TEST_HELP)) $(B)/files
	$(archive)

$(B)/gradus: $(call objects,$(MAIN_SRC)) $(LIBS)
	$(say) LINK $@
	$(Q)$(LINK) -o $@ $^ $(REPL_LIBS) $(CORE_LIBS)

# All of Graphviz is in here, and none of it in gradus.
$(B)/gradus-draw: $(call objects,$(DRAW_SRC)) $(B)/libviz.a $(B)/libcore.a
	$(say) LINK $@
	$(Q)$(LINK) -o $@ $^ $(DRAW_LIBS)

define test_program
$(B)/tests/$(basename $(notdir $(1))): $(call objects,$(1)) $(B)/libtest.a $(LIBS)
	$(say) LINK $$@
	@mkdir -p $$(@D)
	$(Q)$$(LINK_TEST) $(2) -o $$@ $$^ $(TEST_LIBS)
endef
$(foreach t,$(TEST_MAIN),$(eval $(call test_program,$(t))))
# Without libFuzzer they have a main() of their own, which runs the files that are its arguments.
$(foreach t,$(FUZZ_SRC),$(eval $(call test_program,$(t),$(if $(filter fuzz,$(MODE)),-fsanitize=fuzzer))))

# Its requests for memory can be refused.
$(B)/tests/prop_memory: LDFLAGS += $(foreach f,malloc calloc realloc aligned_alloc free,-Wl,--wrap=$(f))

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
