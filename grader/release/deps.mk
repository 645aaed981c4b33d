# Takes the libraries from a folder, for a machine without root access or for another architecture.
#
# DEPS   a prefix that holds Check, jansson and Nettle (default build/deps, if it exists): unpacked Debian packages, with
#        usr/include and usr/lib/..., or any other installation, with include and lib
#
# Static libraries are linked into the program (STATIC). For shared ones, the program stores the folder's path.
.DEFAULT_GOAL := all
DEPS ?= $(wildcard build/deps)
PKG_CONFIG = pkg-config
ifneq ($(DEPS),)
deps := $(abspath $(DEPS))
triplet := $(shell $(CC) -dumpmachine)
deps_lib := $(wildcard $(deps)/usr/lib/$(triplet) $(deps)/usr/lib $(deps)/lib $(deps)/lib64)
# -idirafter: the compiler's own headers come first
CPPFLAGS += $(patsubst %,-idirafter %,$(wildcard $(deps)/usr/include/$(triplet) $(deps)/usr/include $(deps)/include))
LDFLAGS += $(deps_lib:%=-L%)
ifneq ($(wildcard $(deps_lib:%=%/libjansson.a)),)
STATIC := 1
# ignore the machine's own libraries
PKG_CONFIG = false
else
LDFLAGS += $(deps_lib:%=-Wl,-rpath,%)
PKG_CONFIG = PKG_CONFIG_PATH=$(subst $() ,:,$(deps_lib:%=%/pkgconfig)) pkg-config
endif
endif
.PHONY: deps
#: without root: unpack Debian's packages of the libraries into build/deps (ARCH=arm64: for another machine)
deps: ; @sh grader/release/deps.sh build/deps$(ARCH:%=-%) "$(ARCH)"
