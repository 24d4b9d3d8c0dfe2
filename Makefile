# TermGallery: `make demo` opens the demo, `make test` runs the tests; both install what they need first.

PREFIX  ?= /usr/local
DESTDIR ?=
FEED    ?=
FILTER  ?=
NAME    ?=
ARGS    ?=
SECONDS ?= 60
SEED    ?= 1
TARGET  ?=
ALL     ?=
BASE    ?=
CASES   ?=
SUITE   ?= trixie
GOAL    ?= test
# The folder of the release build; if it differs from the folder of the tests, both can be built at the same time.
RELEASE_PATH ?= .build
# The program that the benchmark of whole programs measures, instead of a release build.
TERMGALLERY ?=

# All formats are built. If this machine lacks the library of a format, the cell reports it.
TRAITS   = --enable-all-traits

# `demo`, `run` and `install` use one release build with the same flags, because different link flags would
# compile everything twice. No path of this machine is part of the program, so that equal sources give equal files.
# Without the front end's option, the runtime finds each generic type by its name when it is first used, and looks up
# every conformance that the type requires: ten million instructions at each start.
RELEASE  = $(TRAITS) --configuration release --product termgallery --static-swift-stdlib \
	--scratch-path $(RELEASE_PATH) --disable-local-rpath \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
	-Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
	$(shell Scripts/link-options.sh $(RELEASE_PATH)/static-libraries)
BINARY  := $(RELEASE_PATH)/release/termgallery

# The backtracer of a crashing test can hang for minutes; the exit status is enough.
export SWIFT_BACKTRACE = enable=no

.DEFAULT_GOAL := help
# SwiftPM uses every core itself and locks its folder, so parallel targets would only wait for each other.
.NOTPARALLEL:
.PHONY: help setup setup-build setup-bench setup-dist build build-tests release demo run test test-release bench \
	bench-programs bench-quick bench-compare monkey lint behavior messages manual reliability api api-update docs \
	sanitize sanitize-thread sanitize-address fuzz instructions instructions-record fuzz-check corpus terminals \
	test-shuffled cluster-test debian-headers test-debian13 examples check install uninstall clean third-party deb dist \
	dist-twice test-packages

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the packages for building and testing, check the Swift toolchain
	@Scripts/setup.sh test

setup-build: ## install only the packages for building
	@Scripts/setup.sh build

build: setup-build ## debug build
	Scripts/debug-build.sh

build-tests: setup ## compile the tests without running them
	@Scripts/debug-build.sh --build-tests

release: setup-build ## optimized build with the Swift runtime linked in
	# As in Scripts/debug-build.sh.
	SWIFT_DETERMINISTIC_HASHING=1 swift build $(RELEASE) || \
		{ Scripts/name-lost-hosts.sh $(RELEASE_PATH); exit 1; }

# An optimized build, although a debug build is ready sooner: without optimization, generating and decoding images is
# tens of times slower, and the demo would show waiting instead of scrolling.
demo: release ## browse images of the built-in server; ARGS="--count 5000 --autoscroll"
	@$(BINARY) demo $(ARGS)

run: release ## browse a feed, folder or image: make run FEED=sample-feeds/local.txt
	@test -n "$(FEED)" || { echo "usage: make run FEED=sample-feeds/local.txt" >&2; exit 2; }
	@$(BINARY) "$(FEED)" $(ARGS)

test: setup ## run all tests; FILTER=Name runs some
	@Scripts/test.sh $(if $(FILTER),--filter "$(FILTER)")

setup-bench: ## install the packages for the benchmarks, including the programs to compare with
	@Scripts/setup.sh bench

bench: setup-bench release ## run the benchmarks, store the figures; NAME=PeerBench runs one
	@Benchmarks/corpus.sh
	@Benchmarks/run.sh $(NAME)

COUNT = python3 -B Benchmarks/instructions/count.py $(BINARY)

setup-instructions:
	@Scripts/setup.sh instructions

instructions: setup-instructions release ## count the instructions of typical commands, compare them with the table
	@$(COUNT) $(ARGS)

instructions-record: setup-instructions release ## measure the table of instruction counts again
	@$(COUNT) --record

# The benchmark of whole programs needs only a binary, so TERMGALLERY=FILE measures an existing one.
PROGRAMS = TERMGALLERY="$(abspath $(TERMGALLERY))" BASE="$(BASE)" python3 -B Benchmarks/programs/bench.py
MEASURED = setup-bench $(if $(TERMGALLERY),,release)

bench-programs: $(MEASURED) ## measure whole programs, write Documentation/Performance.md; CASES="feed link" runs some
	@$(PROGRAMS) full $(CASES)

bench-quick: $(MEASURED) ## the same with small numbers in under three minutes; writes nothing
	@Benchmarks/programs/test.sh
	@$(PROGRAMS) quick $(CASES)

bench-compare: $(MEASURED) ## report which figures became slower since a commit: make bench-compare BASE=origin/main
	@$(PROGRAMS) compare $(CASES)

fuzz: setup-build ## fuzz each target with the address sanitizer: make fuzz SECONDS=600 TARGET=PNG
	@Fuzz/run.sh $(SECONDS) $(TARGET)

fuzz-check: setup-build ## compile the fuzzers' sources against the modules of the debug build
	@Fuzz/run.sh check

corpus: setup-build ## write the generated files of the fuzzers' corpus again
	@Fuzz/run.sh corpus

test-shuffled: ## run the tests that were built last in random groups: make test-shuffled SEED=7
	@Scripts/shuffled-tests.sh $(SEED)

terminals: ## test the gallery in the real terminals of this machine: make terminals NAME="kitty foot"
	@Scripts/terminals.sh $(NAME)

debian-headers: ## compile the C code with the headers of another Debian: make debian-headers SUITE=sid
	@SUITE="$(SUITE)" Scripts/debian-headers.sh

# Not part of the check, because it needs root and compiles everything in a new system.
test-debian13: ## run the tests in a new Debian 13 as root; SUITE=bookworm|trixie|sid, GOAL=build-tests only compiles
	@SUITE="$(SUITE)" FILTER="$(FILTER)" Scripts/debian.sh $(GOAL)

# Not part of the check, because it downloads Spark and uses all cores for minutes. One Spark worker is killed on
# the way.
cluster-test: ## test Examples/cluster with Spark, GNU parallel and Slurm's script: make cluster-test TERMGALLERY=/path
	@Examples/cluster/test.sh

test-release: release ## run StartTests with the release build
	@Scripts/test-release.sh $(BINARY)

examples: setup-build ## compile the programs in Examples against the public interface of the libraries
	@Examples/check.sh

monkey: build ## press random keys in the gallery; SEED=1 SECONDS=60
	@python3 -B Scripts/monkey.py --seed $(SEED) --seconds $(SECONDS) .build/debug/termgallery

lint: ## check formatting, sizes, imports, words, rows of behavior, code in articles, public interface
	@Scripts/lint.sh
	@$(MAKE) --no-print-directory api

behavior: ## write Documentation/Behavior.md, and report rows without a test
	@swift -enable-bare-slash-regex Scripts/behavior.swift write

messages: ## write Documentation/messages.txt, the list of all texts that users see
	@Scripts/messages.py write

manual: build ## write the options in the manual from the text of --help
	@Scripts/manual.py write

reliability: setup-build ## try all faults and write their table in Documentation/Reliability.md
	@WRITE_RELIABILITY=1 Scripts/test.sh --filter FaultTableTests

api: setup-build ## compare the public interface with Documentation/API; every symbol needs a comment
	@Scripts/api.sh check

api-update: setup-build ## write Documentation/API
	@Scripts/api.sh write

docs: setup-build ## build ImageLoading's documentation with DocC; a warning fails
	@Scripts/api.sh docs

# Undefined behavior in C ends the test.
C_TRAPS = -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined

sanitize: sanitize-thread sanitize-address ## run tests under the thread and address sanitizers; ALL=1 runs all of them

# Without ALL, each sanitizer runs the tests in which it can find what no other check finds, because all of them take
# an hour, and 90 minutes are the limit for the whole check (Documentation/Releasing.md asks for ALL=1).
#
# Three suites run under no sanitizer. CrashTests: the sanitizers handle the same signals, exit with a status of their
# own, and delay a SIGTRAP. DemoTotalsTests: a slow client leaves bytes in its sockets, which the server has counted as
# sent. PeakMemoryTests: the sanitizers need memory themselves.
UNSANITIZED = ^EndToEndTests\..*/(Crash|PeakMemory)Tests/ ^TermGalleryTests\.DemoTotalsTests/

# The engine, the commands and the whole program share state between threads. Left out are suites that use the same
# threads as the suites that remain, only with other words, keys and files.
THREADED = ImageLoadingTests TermGalleryTests EndToEndTests
SAME_THREADS = ^TermGalleryTests\.(Argument|Configuration|HelpText|Manual|MessageText|SafeFileName|TOMLReader)Tests/ \
	^EndToEndTests\..*/(BadInput|CacheFault|Command|ConfigurationFile|Detection|External|FaultTable)Tests/ \
	^EndToEndTests\..*/(FetchFilter|Finding|Folder|Format|InsecureHost|Install|Isolation|Kill)Tests/ \
	^EndToEndTests\..*/(KnownFeeds|Marking|Pick|Preview|Refusal|RememberedPlace|Symbol)Tests/ \
	^EndToEndTests\..*/(TerminalKind|Theme|ThumbnailTar|Verify)Tests/
sanitize-thread: setup
	@$(if $(FILTER)$(ALL),,TEST_TARGETS="$(THREADED)") Scripts/test.sh --sanitize=thread --scratch-path .build-tsan \
		$(if $(FILTER),--filter "$(FILTER)",$(foreach tests,$(UNSANITIZED) $(if $(ALL),,$(SAME_THREADS)),--skip '$(tests)'))

# The modules that call C code or read untrusted bytes through pointers; Swift itself checks nearly all memory accesses
# of the others. Left out are suites whose time is mostly spent in drawing or writing what the tests need.
UNSAFE = DecodersTests FeedsTests ImageLoadingTests
EXPENSIVE = ^DecodersTests\.(CostLimit|StandInAgreement)Tests/ \
	^FeedsTests\..*(GrowingRecord|HostPoliteness|SyndicationLimit)Tests/ ^ImageLoadingTests\.DiskCachePowerLossTests/
sanitize-address: setup
	@$(if $(FILTER)$(ALL),,TEST_TARGETS="$(UNSAFE)") Scripts/test.sh --sanitize=address --scratch-path .build-asan $(C_TRAPS) \
		$(if $(FILTER),--filter "$(FILTER)",$(foreach tests,$(UNSANITIZED) $(if $(ALL),,$(EXPENSIVE)),--skip '$(tests)'))

check: lint test monkey fuzz-check examples docs sanitize ## everything a change must pass

# Packages may set MANDIR, BASHDIR, ZSHDIR and FISHDIR (Scripts/install.sh).
export DESTDIR
install: release ## install to PREFIX (/usr/local), staged under DESTDIR if set
	@Scripts/install.sh install "$(BINARY)" "$(DESTDIR)$(PREFIX)"

setup-dist:
	@Scripts/setup.sh dist

third-party: setup-build ## write THIRD-PARTY.md, the licenses of the code in the program
	@swift package --scratch-path $(RELEASE_PATH) resolve
	@python3 -B Packaging/third_party.py licenses $(RELEASE_PATH) >THIRD-PARTY.md

deb: setup-dist release ## write the Debian package to dist
	@Packaging/deb.sh $(BINARY) dist

dist: setup-dist release ## write all files of a release to dist (Documentation/Releasing.md)
	@Packaging/dist.sh $(RELEASE_PATH) dist

dist-twice: ## write the files of a release twice, in two folders, and compare them
	@Packaging/twice.sh

test-packages: ## install, run and remove the packages of dist in Debian 11, 12 and 13, as root
	@Packaging/test.sh dist

uninstall: ## remove the installed files
	@Scripts/install.sh uninstall "$(BINARY)" "$(DESTDIR)$(PREFIX)"

clean: ## remove everything that was built
	rm -rf .build .build-release .build-tsan .build-asan .build-debian Benchmarks/.build Benchmarks/.corpus Benchmarks/.worktrees Fuzz/.build
