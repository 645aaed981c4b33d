# Libraries in a folder: on a machine without root, or for a program of another architecture.
#
# DEPS   a prefix that holds Check, jansson and Nettle (default build/deps, where it is there): packages of Debian unpacked in
#        it, usr/include and usr/lib/..., or what any other installation has, include and lib
#
# Static libraries go into the program (STATIC), of shared ones it keeps the folder.
.DEFAULT_GOAL := all
DEPS ?= $(wildcard build/deps)
PKG_CONFIG = pkg-config
ifneq ($(DEPS),)
deps := $(abspath $(DEPS))
triplet := $(shell $(CC) -dumpmachine)
deps_lib := $(wildcard $(deps)/usr/lib/$(triplet) $(deps)/usr/lib $(deps)/lib $(deps)/lib64)
# -idirafter: a header of the compiler's own stays before them
CPPFLAGS += $(patsubst %,-idirafter %,$(wildcard $(deps)/usr/include/$(triplet) $(deps)/usr/include $(deps)/include))
LDFLAGS += $(deps_lib:%=-L%)
ifneq ($(wildcard $(deps_lib:%=%/libjansson.a)),)
STATIC := 1
# nothing of the machine's own comes along
PKG_CONFIG = false
else
LDFLAGS += $(deps_lib:%=-Wl,-rpath,%)
PKG_CONFIG = PKG_CONFIG_PATH=$(subst $() ,:,$(deps_lib:%=%/pkgconfig)) pkg-config
endif
endif
.PHONY: deps
#: Debian's packages of the libraries, unpacked into build/deps: without root; ARCH=arm64: another machine's
deps: ; @sh grader/release/deps.sh build/deps$(ARCH:%=-%) "$(ARCH)"
