# SPDX-License-Identifier: Apache-2.0
#
# Everything a person needs to build, try and check Handoff. `make help` lists it.

SWIFT   ?= swift
PREFIX  ?= /usr/local
DESTDIR ?=
# How long `make fuzz` looks, all parsers together.
SECONDS ?= 60

# A target that imports a room it does not declare is an error: that is how the floors stay apart.
CHECKED := --explicit-target-dependency-import-check error
# The tests that wait for sockets and programs. Those that only reckon run before them: side by side they would take every
# thread there is, and what is waited for would come too late.
WAITING := ^(Handoff(Net|Host|Command|Scenario|)|SourceCompatibility)Tests[.]
# Those that expect a process to end. Beside tests that start programs with Foundation's Process one of them waited for ever
# for a child that was gone already, in about every second run on a quiet machine. So they run by themselves, one after the
# other: many of them wait for a socket with a bound, and all at once each would wait for all the others.
EXITING := ^HandoffTests[.]
# Of these the ones that hold a thread of Swift's pool while a program runs. The pool has one for each core: with two cores
# and two of them nothing else goes on, and what the others wait for comes too late. So they run by themselves.
HOLDING := ^(HandoffCommandTests[.]|SourceCompatibilityTests[.]PortedAppTests)
MONKEY  := Examples/MonkeyBrowser
APP     := .build/MonkeyBrowser.app
LISTAPP := .build/ToDo.app
PHOTO   := .build/PhotoHandoff.app
WINDOW  := .build/window/MonkeyBrowser.app
# Where there is a display, pages can be shown.
DISPLAYED := $(DISPLAY)$(WAYLAND_DISPLAY)

.DEFAULT_GOAL := help
.PHONY: help setup setup-bench setup-browsers setup-test setup-window build app window-app monkeybrowser demo \
	demo-screenshots test bench docs fuzz lint format proto install

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what this machine lacks (Debian; needs root only if something is missing)
	@Scripts/setup

setup-window:
	@Scripts/setup window

setup-test:
	@Scripts/setup test

setup-bench:
	@Scripts/setup bench

setup-browsers:
	@Scripts/setup browsers

build: setup ## build the daemon, the command line, the libraries, and the samples
	@[ -d .build ] || echo "building for the first time: this takes some minutes"
	@$(SWIFT) build -q $(CHECKED)
	@$(MAKE) -s app

app: setup
	@$(SWIFT) build -q --package-path $(MONKEY) --product MonkeyBrowser
	@Scripts/bundle $(MONKEY) $(MONKEY)/.build/debug/MonkeyBrowser $(APP)
	@Scripts/bundle Examples/ToDo .build/debug/ToDo $(LISTAPP)
	@Scripts/bundle Examples/PhotoHandoff .build/debug/PhotoHandoff $(PHOTO)

window-app: setup-window
	@$(SWIFT) build -q --package-path $(MONKEY) --product MonkeyBrowserWindow
	@Scripts/bundle $(MONKEY) $(MONKEY)/.build/debug/MonkeyBrowserWindow $(WINDOW)

monkeybrowser: build window-app ## build MonkeyBrowser with windows, and start it
	@$(WINDOW)/Contents/Linux/MonkeyBrowser

demo: build $(if $(DISPLAYED),window-app) $(if $(filter 0,$(shell id -u)),setup-test) ## show the main job: an activity goes from one device to another, with times
	@$(SWIFT) run -q --package-path EndToEnd demo

demo-screenshots: build window-app setup-browsers ## the same on two screens that nobody sees; leaves their pictures in docs/images (root)
	@$(SWIFT) run -q --package-path EndToEnd demo-screenshots docs/images

test: build $(if $(SANITIZER),,setup-test window-app) ## run every test: rooms, sample, and real processes in network namespaces; or SANITIZER=thread, address
ifdef SANITIZER
	@WAITING='$(WAITING)' HOLDING='$(HOLDING)' EXITING='$(EXITING)' Scripts/sanitize $(SANITIZER)
else
	@$(SWIFT) test -q --disable-xctest $(CHECKED) --skip '$(WAITING)'
	@$(SWIFT) test -q --disable-xctest --skip-build --filter '$(WAITING)' --skip '$(HOLDING)' --skip '$(EXITING)'
	@$(SWIFT) test -q --disable-xctest --skip-build --no-parallel --filter '$(EXITING)'
	@$(SWIFT) test -q --disable-xctest --skip-build --filter '$(HOLDING)'
	@$(SWIFT) test -q --disable-xctest --package-path $(MONKEY)
	@$(SWIFT) test -q --disable-xctest --package-path EndToEnd --no-parallel
endif

bench: setup-bench setup-browsers app ## measure, on two network namespaces, beside the floor in the same run (root)
	@$(SWIFT) build -q -c release --static-swift-stdlib --product handoffd
	@$(SWIFT) build -q -c release --static-swift-stdlib --product handoff
	@$(SWIFT) build -q -c release --static-swift-stdlib --package-path Benchmarks
	@Benchmarks/run --bin .build/release --bench-bin Benchmarks/.build/release
	@$(SWIFT) build -q -c release --static-swift-stdlib --product ToDo
	@Benchmarks/start --bin .build/release
	@$(SWIFT) build -q -c release --static-swift-stdlib --product handoff-browser-host
	@Benchmarks/tabs .build/release

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

install: setup ## build for release and install under PREFIX (and DESTDIR)
	@$(SWIFT) build -q -c release --static-swift-stdlib --product handoffd
	@$(SWIFT) build -q -c release --static-swift-stdlib --product handoff
	@$(SWIFT) build -q -c release --static-swift-stdlib --product handoff-browser-host
	@install -D -m 755 .build/release/handoffd $(DESTDIR)$(PREFIX)/bin/handoffd
	@install -D -m 755 .build/release/handoff $(DESTDIR)$(PREFIX)/bin/handoff
	@install -D -m 755 .build/release/handoff-browser-host $(DESTDIR)$(PREFIX)/bin/handoff-browser-host
	@install -d $(DESTDIR)$(PREFIX)/share/handoff
	@rm -rf $(DESTDIR)$(PREFIX)/share/handoff/extension
	@cp -r Extension $(DESTDIR)$(PREFIX)/share/handoff/extension
	@chmod -R u=rwX,go=rX $(DESTDIR)$(PREFIX)/share/handoff/extension
	@install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	@.build/release/handoff --generate-completion-script bash \
		> $(DESTDIR)$(PREFIX)/share/bash-completion/completions/handoff
	@install -d $(DESTDIR)$(PREFIX)/share/man/man1
	@Scripts/manual .build/release/handoff > $(DESTDIR)$(PREFIX)/share/man/man1/handoff.1
	@echo "installed handoffd, handoff and handoff-browser-host in $(DESTDIR)$(PREFIX)/bin"
