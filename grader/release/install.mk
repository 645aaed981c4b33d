# ---- in its place --------------------------------------------------------------------------------------------------------
# PREFIX   where make install puts the command, its data, manual page and completions (default /usr/local)
# DESTDIR  folder that stands before PREFIX while a package is made
PREFIX ?= /usr/local
INSTALL = sh grader/release/install.sh
# what grading needs besides: of a kit with solutions the handout's, whose figures stand for them
DATA = $(if $(wildcard solutions/lab*_*/reduce.cu),$(BUILD)/handout/kit,.)
.PHONY: man completions install uninstall prebuilt
#: the manual page, into build/share
man: $(BUILD)/grade ; @$(INSTALL) man "$(BUILD)"
#: completions for bash, zsh and fish, into build/share
completions: $(BUILD)/grade ; @$(INSTALL) completions "$(BUILD)"
#: the command, manual page and completions into a system: PREFIX=/usr/local DESTDIR= ## PREFIX=build/prefix
install: $(if $(filter .,$(DATA)),,handout) man completions
	@$(INSTALL) install "$(BUILD)" "$(DESTDIR)$(PREFIX)" "$(DATA)"
#: remove what make install has put there ## PREFIX=build/prefix
uninstall: ; @$(INSTALL) uninstall "$(DESTDIR)$(PREFIX)"
#: the students' archive with the command built, for machines without a compiler of C: ARCH=amd64 or arm64 ## dpkg:dpkg
prebuilt: handout
	@env -u MAKEFLAGS MAKE="$(MAKE)" sh grader/release/prebuilt.sh "$(BUILD)" "$(ARCH)"
