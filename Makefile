# TermGallery: `make demo` browses pictures, `make test` runs the tests; both set up first.

PREFIX  ?= /usr/local
DESTDIR ?=
FEED    ?=
FILTER  ?=
NAME    ?=
ARGS    ?=
SECONDS ?= 60
SEED    ?= 1
TARGET  ?=
BASE    ?=
CASES   ?=
# Where the release build is made; another place than the tests' lets both be made at once.
RELEASE_PATH ?= .build
# The program that the bench of whole programs measures, instead of a release build.
TERMGALLERY ?=

# Formats whose libraries this machine may lack are said in their cells: so all of them are built.
TRAITS   = --enable-all-traits

# One release build serves `demo`, `run` and `install`: the flags are the same for all three, for
# different link flags would compile everything twice.
RELEASE  = $(TRAITS) --configuration release --product termgallery --static-swift-stdlib \
	--scratch-path $(RELEASE_PATH) --disable-local-rpath \
	$(shell Scripts/link-options.sh $(RELEASE_PATH)/static-libraries)
BINARY  := $(RELEASE_PATH)/release/termgallery

# The backtracer of a crashing test can hang for minutes; the exit status is enough.
export SWIFT_BACKTRACE = enable=no

.DEFAULT_GOAL := help
# SwiftPM uses every core itself and locks its folder: goals side by side would only wait.
.NOTPARALLEL:
.PHONY: help setup setup-build setup-bench build build-tests release demo run test bench bench-programs bench-quick \
	bench-compare monkey lint behaviour api api-update docs sanitize sanitize-thread sanitize-address fuzz \
	fuzz-check corpus terminals test-shuffled cluster-test check install uninstall clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what building and testing need, check the Swift toolchain
	@Scripts/setup.sh test

setup-build: ## the same for building alone, without the tests' servers
	@Scripts/setup.sh build

build: setup-build ## debug build
	Scripts/debug-build.sh

build-tests: setup ## compile the tests, as `test` does first
	@Scripts/debug-build.sh --build-tests

release: setup-build ## optimised build with the Swift runtime linked in
	# As in Scripts/debug-build.sh.
	SWIFT_DETERMINISTIC_HASHING=1 swift build $(RELEASE)

# Optimised, though a debug build is ready sooner: making and decoding pictures without the
# optimiser is tens of times slower, and then the demo shows waiting instead of scrolling.
demo: release ## browse pictures made by the embedded server; ARGS="--count 5000 --autoscroll"
	@$(BINARY) demo $(ARGS)

run: release ## browse a feed, folder or picture: make run FEED=sample-feeds/local.txt
	@test -n "$(FEED)" || { echo "usage: make run FEED=sample-feeds/local.txt" >&2; exit 2; }
	@$(BINARY) "$(FEED)" $(ARGS)

test: setup ## run all tests; FILTER=Name runs some
	@Scripts/test.sh $(if $(FILTER),--filter "$(FILTER)")

setup-bench: ## the same for the benchmarks, with the programs that ours is compared with
	@Scripts/setup.sh bench

bench: setup-bench release ## run the benchmarks, keep the figures; NAME=PeerBench runs one
	@Benchmarks/corpus.sh
	@Benchmarks/run.sh $(NAME)

# Whole programs need nothing but the binary, so TERMGALLERY=FILE measures one that is there.
PROGRAMS = TERMGALLERY="$(abspath $(TERMGALLERY))" BASE="$(BASE)" python3 -B Benchmarks/programs/bench.py
MEASURED = setup-bench $(if $(TERMGALLERY),,release)

bench-programs: $(MEASURED) ## measure whole programs, write Documentation/Performance.md; CASES="feed link" runs some
	@$(PROGRAMS) full $(CASES)

bench-quick: $(MEASURED) ## the same with small numbers in under three minutes; writes nothing
	@Benchmarks/programs/test.sh
	@$(PROGRAMS) quick $(CASES)

bench-compare: $(MEASURED) ## say what became slower since a commit: make bench-compare BASE=origin/main
	@$(PROGRAMS) compare $(CASES)

fuzz: setup-build ## fuzz each target with the address sanitizer: make fuzz SECONDS=600 TARGET=PNG
	@Fuzz/run.sh $(SECONDS) $(TARGET)

fuzz-check: setup-build ## compile the fuzzers' sources against the modules of the debug build
	@Fuzz/run.sh check

corpus: setup-build ## write the fuzzers' corpus, files of every damage, anew
	@Fuzz/run.sh corpus

test-shuffled: ## the tests that were built last once more, in groups drawn by chance: make test-shuffled SEED=7
	@Scripts/shuffled-tests.sh $(SEED)

terminals: ## look at the gallery in the real terminals of this machine: make terminals NAME="kitty foot"
	@Scripts/terminals.sh $(NAME)

# No part of the check: it downloads Spark, and takes minutes of all cores.
cluster-test: ## a list by Spark with a worker killed, by parallel and by Slurm's script: make cluster-test TERMGALLERY=/path
	@Examples/cluster/test.sh

monkey: build ## press random keys in the gallery; SEED=1 SECONDS=60
	@python3 -B Scripts/monkey.py --seed $(SEED) --seconds $(SECONDS) .build/debug/termgallery

lint: ## formatting, sizes, imports, words, rows of behaviour, code in articles, public interface
	@Scripts/lint.sh
	@$(MAKE) --no-print-directory api

behaviour: ## write Documentation/Behaviour.md, and say which rows have no test
	@swift -enable-bare-slash-regex Scripts/behaviour.swift write

reliability: setup-build ## write the table of faults in Documentation/Reliability.md, once the faults were tried
	@WRITE_RELIABILITY=1 Scripts/test.sh --filter FaultTableTests

api: setup-build ## compare the public interface with Documentation/API; every symbol has a comment
	@Scripts/api.sh check

api-update: setup-build ## write Documentation/API
	@Scripts/api.sh write

docs: setup-build ## build ImageLoading's documentation with DocC; a warning fails
	@Scripts/api.sh docs

# What C leaves undefined ends the test.
C_TRAPS = -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined

sanitize: sanitize-thread sanitize-address ## run the tests under the thread and address sanitizers

# Suites that try other words, keys and files with the threads that the suites beside them have: the address
# sanitizer runs them, as it does those of modules without threads (Package.swift).
WITHOUT_THREADS = ^TermGalleryTests\.(Argument|ClusterPainting|Configuration|ConsoleFont|FrameEncoder|InputDecoder)Tests/ \
	^TermGalleryTests\.(Manual|MessageText|SafeFileName|SignWidth|TOMLReader|VirtualScreen)Tests/ \
	^EndToEndTests\..*/(CacheFault|Command|ConfigurationFile|Detection|FetchFilter|Finding|Install)Tests/ \
	^EndToEndTests\..*/(KnownFeeds|Marking|Outside|Pick|Refusal|RememberedPlace|Symbol|TerminalKind)Tests/

sanitize-thread: setup
	@TEST_TARGETS="ImageLoadingTests DemoServerTests TermGalleryTests EndToEndTests" \
		Scripts/test.sh --sanitize=thread --scratch-path .build-tsan \
		$(if $(FILTER),--filter "$(FILTER)",$(foreach tests,$(WITHOUT_THREADS),--skip '$(tests)'))

# Suites that drive the program for what it does with threads and other processes: the thread sanitizer runs them,
# and both run those of what comes from strangers. All of them, one after the other, took 290 of the 568 seconds of
# the address sanitizer, which of a program that is killed hears nothing.
WITH_THREADS = ^EndToEndTests\..*/(Cache|Crash|GrowingFeed|Kill|Leaving|Reload|Scrolling|SeenBefore)Tests/ \
	^EndToEndTests\..*/(Theme|ThumbnailTar|TwoProcesses|Watch)Tests/

sanitize-address: setup
	@Scripts/test.sh --sanitize=address --scratch-path .build-asan $(C_TRAPS) \
		$(if $(FILTER),--filter "$(FILTER)",$(foreach tests,$(WITH_THREADS),--skip '$(tests)'))

check: lint test fuzz-check docs sanitize ## everything a change must pass

install: release ## install to PREFIX (/usr/local), staged under DESTDIR if set
	@Scripts/install.sh install "$(BINARY)" "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what `install` put there
	@Scripts/install.sh uninstall "$(BINARY)" "$(DESTDIR)$(PREFIX)"

clean: ## remove everything that was built
	rm -rf .build .build-release .build-tsan .build-asan Benchmarks/.build Benchmarks/.corpus Benchmarks/.worktrees Fuzz/.build
