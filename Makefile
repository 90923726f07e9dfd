# SPDX-License-Identifier: Apache-2.0
#
# Everything a person needs to build, try and check Handoff. `make help` lists it.

SWIFT   ?= swift
PREFIX  ?= /usr/local
DESTDIR ?=
# How long `make fuzz` looks, all parsers together.
SECONDS ?= 60

# SwiftPM hands the traits of a package to the compiler in the order of a set, another one in every run; and what is called
# otherwise is compiled again, with all that needs it.
export SWIFT_DETERMINISTIC_HASHING := 1
# A target that imports a room it does not declare is an error: that is how the floors stay apart.
CHECKED := --explicit-target-dependency-import-check error
# What ends a program runs apart: beside tests that start programs, one would wait for the other's.
EXITING := ^HandoffExitTests[.]
# So many tests at a time: enough to be busy while others wait, and few enough that what one waits for comes in its time.
AT_ONCE := --experimental-maximum-parallelization-width 4
# libstdc++ alone, where the linker looks first: what a program needs of it is linked in.
STATIC  := $(CURDIR)/.build/static
# Nothing is looked up in a program by name, and names kept for that keep what they name. Relocations are packed, which
# the system's own linker cannot: docs/decisions/0026.
RELEASE := -c release --static-swift-stdlib -Xlinker --no-export-dynamic \
	-Xswiftc -use-ld=lld -Xswiftc -L$(STATIC) -Xlinker -z -Xlinker pack-relative-relocs
MONKEY  := Examples/MonkeyBrowser
APP     := .build/MonkeyBrowser.app
LISTAPP := .build/ToDo.app
PHOTO   := .build/PhotoHandoff.app
WINDOW  := .build/window/MonkeyBrowser.app
EDITOR  := .build/window/TextEditor.app
# What the benchmarks measure with, which nothing else needs.
BENCHES := HANDOFF_BENCHMARKS=1 HANDOFF_TARGETS='$(notdir $(wildcard Benchmarks/Sources/bench-*))'
# Where there is a display, pages can be shown.
DISPLAYED := $(DISPLAY)$(WAYLAND_DISPLAY)

.DEFAULT_GOAL := help
.PHONY: help setup setup-bench setup-browsers setup-demo setup-release setup-test setup-window setup-deb build programs everything \
	bundles window-app texteditor-app handoff-desktop window-program monkeybrowser texteditor demo demo-screenshots test bench \
	bench-quick docs fuzz lint format proto words release install examples install-examples deb test-package

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what this machine lacks (Debian; needs root only if something is missing)
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

build: setup ## build the daemon, the command line, the libraries, and the samples
	@[ -d .build ] || echo "building for the first time: this takes some minutes"
	@$(SWIFT) build -q $(CHECKED)
	@$(MAKE) -s bundles

# What the demo needs, and nothing else.
programs: setup
	@[ -d .build ] || echo "building for the first time: this takes some minutes"
	@HANDOFF_TARGETS='handoffd handoff-web-fetch handoff-programs MonkeyBrowser' $(SWIFT) build -q $(CHECKED)
	@Scripts/bundle $(MONKEY) .build/debug/MonkeyBrowser $(APP)

# Programs, windows and tests, at one go.
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

texteditor: programs texteditor-app ## build the text editor, the sample on GTK, and start it
	@$(EDITOR)/Contents/Linux/TextEditor

window-program: setup setup-window
	@HANDOFF_WINDOW=1 $(SWIFT) build -q --product handoff-desktop

# The window of Handoff itself, for release: what the package of the desktop has.
handoff-desktop: setup-release setup-window ## build the window of Handoff for release, below .build/release
	@HANDOFF_WINDOW=1 $(SWIFT) build -q $(RELEASE) --product handoff-desktop

demo: programs $(if $(DISPLAYED),window-app) $(if $(filter 0,$(shell id -u)),setup-demo) ## show the main job: an activity goes from one device to another, with times
	@$(SWIFT) run -q --package-path EndToEnd demo

demo-screenshots: build window-app texteditor-app window-program setup-browsers ## the same on two screens that nobody sees; leaves their pictures in docs/images (root)
	@$(SWIFT) run -q --package-path EndToEnd demo-screenshots docs/images

test: $(if $(SANITIZER),setup,everything setup-test) ## run every test: rooms, samples, and real processes in network namespaces; or SANITIZER=thread, address
ifdef SANITIZER
	@AT_ONCE='$(AT_ONCE)' EXITING='$(EXITING)' Scripts/sanitize $(SANITIZER)
else
	@$(SWIFT) test -q --disable-xctest --skip-build $(AT_ONCE) --skip '$(EXITING)'
	@$(SWIFT) test -q --disable-xctest --skip-build --filter '$(EXITING)'
	@SWIFT=$(SWIFT) EndToEnd/run
endif

bench: setup-bench setup-browsers setup-window setup-release programs ## measure, on two network namespaces, beside the floor in the same run (root)
	@$(SWIFT) build -q $(RELEASE) --product handoffd
	@$(SWIFT) build -q $(RELEASE) --product handoff
	@$(BENCHES) $(SWIFT) build -q $(RELEASE)
	@Benchmarks/run --bin .build/release --bench-bin .build/release
	@$(SWIFT) build -q $(RELEASE) --product ToDo
	@Benchmarks/start --bin .build/release
	@$(SWIFT) build -q $(RELEASE) --product handoff-browser-host
	@Benchmarks/tabs .build/release
	@$(SWIFT) build -q $(RELEASE) --product handoff-bus
	@HANDOFF_WINDOW=1 $(SWIFT) build -q $(RELEASE) --product handoff-desktop
	@Benchmarks/desktop --bin .build/release

# With the programs that `make test` has built. A floor whose program is not installed is named and left out.
bench-quick: everything setup-test setup-browsers ## run each benchmark once, to see that it runs: no figures (root)
	@$(BENCHES) $(SWIFT) build -q $(CHECKED)
	@Benchmarks/run --quick --bin .build/debug --bench-bin .build/debug
	@Benchmarks/start --runs 1 --bin .build/debug
	@Benchmarks/footprint --runs 1 .build/debug
	@Benchmarks/tabs .build/debug --quick
	@Benchmarks/desktop --quick --bin .build/debug

fuzz: setup ## look for bytes that break a parser: make fuzz SECONDS=600, of one alone with PARSER=value
	@SWIFT=$(SWIFT) Fuzz/run --seconds $(SECONDS) $(PARSER)

lint: setup ## formatting, licence headers, sizes, and that the generated code is current
	@Scripts/lint

docs: build ## write the documentation of the libraries below .build/docs; a link that leads nowhere fails it
	@Scripts/document

format: setup ## format all Swift that is ours
	@Scripts/sources | xargs -0 $(SWIFT) format --in-place

proto: setup ## generate the protocol's Swift from Protocol/*.proto
	@Scripts/generate Sources/HandoffWire/Generated

words: ## generate the words of window, notifications, tray and search from Desktop/words and Extension/_locales
	@Scripts/words Sources/HandoffWords/Generated/WordTable.swift

# What takes the symbols off the installed programs; empty: they stay, for a debugger and for traces of a crash.
STRIP ?= strip
STRIPPED = $(if $(STRIP),-s --strip-program=$(STRIP))
# Where zsh looks, below PREFIX; Debian's packages have another place.
ZSH     ?= share/zsh/site-functions
RELEASED := handoff handoff-bus handoff-web-fetch $(if $(HANDOFF_WINDOW),$(notdir $(wildcard Sources/handoff-desktop)))
SAMPLES := MonkeyBrowser PhotoHandoff ToDo

# BUILT: is said where all of it was compiled before, as for Debian's packages, whose tools have an environment of their own.
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

test-package: deb ## install, upgrade and remove the packages on a bare Debian that boots in a container (root)
	@Scripts/test-package
