# SPDX-License-Identifier: Apache-2.0
#
# Builds, demonstrates and checks Handoff. `make help` lists the targets.

SWIFT   ?= swift
PREFIX  ?= /usr/local
DESTDIR ?=
# Seconds that `make fuzz` runs, for all parsers together.
SECONDS ?= 60

# SwiftPM passes the traits of a package to the compiler in the order of a set, which differs in every run. A module whose
# arguments differ is compiled again, with all modules that depend on it.
export SWIFT_DETERMINISTIC_HASHING := 1
# It is an error if a target imports a module that it does not declare. This keeps the layers apart.
CHECKED := --explicit-target-dependency-import-check error
# Tests of calls that end the process run separately. They and tests that start programs would wait for each other's processes.
EXITING := ^HandoffExitTests[.]
# Tests that run at the same time: enough to use the processor while others wait, and few enough for the time limits of waits.
AT_ONCE := --experimental-maximum-parallelization-width 4
# Contains only libstdc++, and the linker searches it first, so that libstdc++ is linked statically.
STATIC  := $(CURDIR)/.build/static
# No symbol of a program is looked up by name, and exported names would keep unused code, as would sections of more than one
# function. lld packs relocations, which the system's linker cannot: docs/decisions/0026.
RELEASE := -c release --static-swift-stdlib -Xlinker --no-export-dynamic \
	-Xswiftc -use-ld=lld -Xswiftc -L$(STATIC) -Xlinker -z -Xlinker pack-relative-relocs \
	-Xswiftc -Xfrontend -Xswiftc -function-sections
MONKEY  := Examples/MonkeyBrowser
APP     := .build/MonkeyBrowser.app
LISTAPP := .build/ToDo.app
PHOTO   := .build/PhotoHandoff.app
WINDOW  := .build/window/MonkeyBrowser.app
EDITOR  := .build/window/TextEditor.app
# The programs of the benchmarks, which nothing else needs.
BENCHES := HANDOFF_BENCHMARKS=1 HANDOFF_TARGETS='$(notdir $(wildcard Benchmarks/Sources/bench-*))'
# Not empty if there is a display to show pages on.
DISPLAYED := $(DISPLAY)$(WAYLAND_DISPLAY)

.DEFAULT_GOAL := help
.PHONY: help setup setup-bench setup-browsers setup-demo setup-release setup-test setup-window setup-deb build programs everything \
	bundles window-app texteditor-app handoff-desktop window-program monkeybrowser texteditor demo demo-doctor demo-programs demo-screenshots test bench \
	test-versions bench-history bench-suggestions bench-quick cli docs features fuzz lint format proto strings release install examples install-examples deb test-package

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install missing Debian packages (needs root only if a package is missing)
	@Scripts/setup

setup-window:
	@Scripts/setup window

setup-demo:
	@Scripts/setup demo

setup-test:
	@Scripts/setup test

setup-bench:
	@Scripts/setup bench

setup-browsers:
	@Scripts/setup browsers

setup-release: setup
	@mkdir -p $(STATIC)
	@ln -sfn "$$(clang -print-file-name=libstdc++.a)" $(STATIC)/libstdc++.a

build: setup ## build the daemon, the command line, the libraries and the samples
	@[ -d .build ] || echo "building for the first time: this takes some minutes"
	@$(SWIFT) build -q $(CHECKED)
	@$(MAKE) -s bundles

# Only what the demo needs.
programs: setup
	@[ -d .build ] || echo "building for the first time: this takes some minutes"
	@HANDOFF_TARGETS='handoffd handoff-history handoff-web-fetch handoff-programs MonkeyBrowser' $(SWIFT) build -q $(CHECKED)
	@Scripts/bundle $(MONKEY) .build/debug/MonkeyBrowser $(APP)

# Programs, windows and tests in one build.
everything: setup setup-window
	@HANDOFF_WINDOW=1 $(SWIFT) build -q $(CHECKED) --build-tests
	@$(MAKE) -s bundles
	@Scripts/bundle $(MONKEY) .build/debug/MonkeyBrowserWindow $(WINDOW)
	@Scripts/bundle Examples/TextEditor .build/debug/TextEditor $(EDITOR)

bundles:
	@Scripts/bundle $(MONKEY) .build/debug/MonkeyBrowser $(APP)
	@Scripts/bundle Examples/ToDo .build/debug/ToDo $(LISTAPP)
	@Scripts/bundle Examples/PhotoHandoff .build/debug/PhotoHandoff $(PHOTO)

window-app: setup setup-window
	@HANDOFF_WINDOW=1 $(SWIFT) build -q --product MonkeyBrowserWindow
	@Scripts/bundle $(MONKEY) .build/debug/MonkeyBrowserWindow $(WINDOW)

texteditor-app: setup setup-window
	@HANDOFF_WINDOW=1 $(SWIFT) build -q --product TextEditor
	@Scripts/bundle Examples/TextEditor .build/debug/TextEditor $(EDITOR)

monkeybrowser: programs window-app ## build MonkeyBrowser with windows, and start it
	@$(WINDOW)/Contents/Linux/MonkeyBrowser

texteditor: programs texteditor-app ## build the text editor, the GTK sample, and start it
	@$(EDITOR)/Contents/Linux/TextEditor

window-program: setup setup-window
	@HANDOFF_WINDOW=1 $(SWIFT) build -q --product handoff-desktop

# The release build of Handoff's window, for the desktop package.
handoff-desktop: setup-release setup-window ## build the window of Handoff for release, below .build/release
	@HANDOFF_WINDOW=1 $(SWIFT) build -q $(RELEASE) --product handoff-desktop

# The last commit before sessions rest and devices report their versions.
OLDER ?= 25968b5e46712683640654cd7ec9fef68a77afd8

test-versions: programs setup-test ## run this version and an older one, and one of another protocol, as two devices; OLDER=COMMIT (root)
	@HANDOFF_OLDER=$$(Scripts/older $(OLDER)) HANDOFF_APART=$$(Scripts/older HEAD 2) EndToEnd/run VersionTests

demo: programs $(if $(DISPLAYED),window-app) $(if $(filter 0,$(shell id -u)),setup-demo) ## show the main feature: continue an activity on another device, with times
	@$(SWIFT) run -q --package-path EndToEnd demo

demo-doctor: programs setup-test ## break five things, and show what handoff doctor says (root)
	@$(SWIFT) run -q --package-path EndToEnd demo-doctor

demo-programs: setup-test ## continue a film, a page and a cursor in programs as they are, on two virtual screens; PICTURE=FILE saves one (root)
	@HANDOFF_TARGETS='handoffd handoff-history handoff-web-fetch handoff-programs handoff-bus handoff-adapters' $(SWIFT) build -q $(CHECKED)
	@$(SWIFT) run -q --package-path EndToEnd demo-programs $(PICTURE)

demo-screenshots: build window-app texteditor-app window-program setup-browsers setup-test ## run the demo on two virtual screens and save screenshots in docs/images (root)
	@$(SWIFT) run -q --package-path EndToEnd demo-screenshots docs/images

test: $(if $(SANITIZER),setup,everything setup-test) ## run every test: modules, samples, and real processes in network namespaces; or SANITIZER=thread, programs, address
ifdef SANITIZER
	@AT_ONCE='$(AT_ONCE)' EXITING='$(EXITING)' Scripts/sanitize $(SANITIZER)
else
	@$(SWIFT) test -q --disable-xctest --skip-build $(AT_ONCE) --skip '$(EXITING)'
	@$(SWIFT) test -q --disable-xctest --skip-build --filter '$(EXITING)'
	@SWIFT=$(SWIFT) EndToEnd/run
endif

bench: setup-bench setup-browsers setup-window setup-release programs ## measure between two network namespaces, next to the floor in the same run (root)
	@$(SWIFT) build -q $(RELEASE) --product handoffd
	@$(SWIFT) build -q $(RELEASE) --product handoff
	@$(BENCHES) $(SWIFT) build -q $(RELEASE)
	@Benchmarks/run --bin .build/release --bench-bin .build/release
	@Benchmarks/costs --bin .build/release
	@$(SWIFT) build -q $(RELEASE) --product ToDo
	@Benchmarks/start --bin .build/release
	@$(SWIFT) build -q $(RELEASE) --product handoff-browser-host
	@Benchmarks/tabs .build/release
	@$(SWIFT) build -q $(RELEASE) --product handoff-bus
	@HANDOFF_WINDOW=1 $(SWIFT) build -q $(RELEASE) --product handoff-desktop
	@Benchmarks/desktop --bin .build/release
	@$(SWIFT) build -q $(RELEASE) --product handoff-adapters
	@Benchmarks/programs --bin .build/release

bench-history: setup-release ## measure the history with 100,000 entries; HISTORY=FOLDER on the disk to measure
	@HANDOFF_BENCHMARKS=1 HANDOFF_TARGETS='handoff-history bench-history' $(SWIFT) build -q $(RELEASE)
	@folder=$(or $(HISTORY),$$(mktemp -d)) && .build/release/bench-history $$folder

# With the programs that `make test` has built. A floor whose program is not installed is reported and skipped.
bench-suggestions: setup-release ## replay synthetic persons: do suggestions beat frecency?
	@HANDOFF_BENCHMARKS=1 HANDOFF_TARGETS=bench-suggestions $(SWIFT) build -q $(RELEASE)
	@.build/release/bench-suggestions 1 20

bench-quick: everything setup-test setup-browsers ## run each benchmark once to see that it works, without figures (root)
	@$(BENCHES) $(SWIFT) build -q $(CHECKED)
	@Benchmarks/run --quick --bin .build/debug --bench-bin .build/debug
	@Benchmarks/start --runs 1 --bin .build/debug
	@Benchmarks/costs --bin .build/debug --devices 2 --activities 10 --changes 2 --rest 1
	@Benchmarks/footprint --runs 1 .build/debug
	@Benchmarks/tabs .build/debug --quick
	@Benchmarks/desktop --quick --bin .build/debug
	@Benchmarks/programs --quick --bin .build/debug

fuzz: setup ## fuzz the parsers: make fuzz SECONDS=600; one parser with PARSER=value
	@SWIFT=$(SWIFT) Fuzz/run --seconds $(SECONDS) $(PARSER)

lint: setup ## check formatting, licence headers, sizes and generated code
	@Scripts/lint

docs: build ## write the documentation of the libraries below .build/docs; fails on a broken link
	@Scripts/document

format: setup ## format our Swift code
	@Scripts/sources | xargs -0 $(SWIFT) format --in-place

proto: setup ## generate the protocol's Swift code from Protocol/*.proto
	@Scripts/generate Sources/HandoffWire/Generated

cli: programs ## write the help of every command into docs/cli.md
	@Scripts/cli-page .build/debug/handoff

features: ## write docs/features.md from docs/features.table and the tests
	@Scripts/features-page

strings: ## generate the strings of window, notifications, tray, search and Shell from Desktop/strings and Extension/_locales
	@Scripts/strings Sources/HandoffStrings/Generated/StringTable.swift \
		Desktop/share/gnome-shell/extensions/handoff@handoff.org/strings.js

# Strips the installed programs. If empty, the symbols stay for debuggers and crash traces.
STRIP ?= strip
STRIPPED = $(if $(STRIP),-s --strip-program=$(STRIP))
# The directory of zsh's completions below PREFIX; Debian's packages use a different one.
ZSH     ?= share/zsh/site-functions
RELEASED := handoff handoff-adapters handoff-bus handoff-history handoff-web-fetch $(if $(HANDOFF_WINDOW),$(basename $(notdir $(wildcard Sources/Executables/handoff-desktop.swift))))
SAMPLES := MonkeyBrowser PhotoHandoff ToDo

# BUILT: set if everything is compiled already, as for Debian's packages, whose tools have their own environment.
release: setup-release
	@for product in $(RELEASED); do $(SWIFT) build -q $(RELEASE) --product $$product || exit 1; done

install: $(if $(BUILT),,release) ## build for release and install under PREFIX (and DESTDIR); STRIP= keeps the symbols
	@ZSH=$(ZSH) Scripts/install .build/release $(DESTDIR)$(PREFIX) $(PREFIX)
	@install -D -m 755 $(STRIPPED) .build/release/handoff $(DESTDIR)$(PREFIX)/bin/handoff
	@ln -sf handoff $(DESTDIR)$(PREFIX)/bin/handoffd
	@ln -sf handoff $(DESTDIR)$(PREFIX)/bin/handoff-browser-host
	@$(foreach program,$(filter-out handoff handoff-desktop,$(RELEASED)),install -D -m 755 $(STRIPPED) \
		.build/release/$(program) $(DESTDIR)$(PREFIX)/libexec/handoff/$(program) &&) true
	@$(foreach program,$(filter handoff-desktop,$(RELEASED)),install -D -m 755 $(STRIPPED) \
		.build/release/$(program) $(DESTDIR)$(PREFIX)/bin/$(program) &&) true
	@echo "installed below $(DESTDIR)$(PREFIX); for every user's next log-in: systemctl --global enable handoffd.socket" \
		"handoffd.service handoff-bus.service"

examples: setup-release
	@for sample in $(SAMPLES); do $(SWIFT) build -q $(RELEASE) --product $$sample \
		&& Scripts/bundle Examples/$$sample .build/release/$$sample .build/examples/$$sample.app || exit 1; done

install-examples: $(if $(BUILT),,examples)
	@install -d $(DESTDIR)$(PREFIX)/lib/handoff/examples
	@cp -r $(SAMPLES:%=.build/examples/%.app) $(wildcard Examples/Python) $(DESTDIR)$(PREFIX)/lib/handoff/examples/
	@rm -rf $(DESTDIR)$(PREFIX)/lib/handoff/examples/Python/__pycache__

setup-deb:
	@Scripts/setup deb

deb: setup-deb setup-window ## build and check Debian's packages, the window among them, into .build/deb
	@HANDOFF_WINDOW=1 $(MAKE) -s release examples
	@HANDOFF_WINDOW=1 Scripts/packages

test-package: deb ## install, upgrade and remove the packages on a minimal Debian booted in a container (root)
	@Scripts/test-package
