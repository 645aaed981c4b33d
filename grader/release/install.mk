# ---- installation --------------------------------------------------------------------------------------------------------
# PREFIX   folder into which make install installs the command, its data, manual page and completions (default /usr/local)
# DESTDIR  folder prepended to PREFIX when building a package
PREFIX ?= /usr/local
INSTALL = sh grader/release/install.sh
# Folder with the data for grading. A kit with solutions installs the data of its handout, which contains figures instead of solutions.
DATA = $(if $(wildcard solutions/lab*_*/reduce.cu),$(BUILD)/handout/kit,.)
.PHONY: man completions install uninstall prebuilt
#: write the manual page into build/share
man: $(BUILD)/grade ; @$(INSTALL) man "$(BUILD)"
#: write completions for bash, zsh and fish into build/share
completions: $(BUILD)/grade ; @$(INSTALL) completions "$(BUILD)"
#: install the command, manual page and completions: PREFIX=/usr/local DESTDIR= ## PREFIX=build/prefix
install: $(if $(filter .,$(DATA)),,handout) man completions
	@$(INSTALL) install "$(BUILD)" "$(DESTDIR)$(PREFIX)" "$(DATA)"
#: remove what make install has installed ## PREFIX=build/prefix
uninstall: ; @$(INSTALL) uninstall "$(DESTDIR)$(PREFIX)"
#: pack the students' archive with the built command, for machines without a C compiler: ARCH=amd64 or arm64 ## dpkg:dpkg
prebuilt: handout
	@env -u MAKEFLAGS MAKE="$(MAKE)" sh grader/release/prebuilt.sh "$(BUILD)" "$(ARCH)"
