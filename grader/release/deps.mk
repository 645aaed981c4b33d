# Builds with libraries in a folder, for machines without root access and for other architectures.
#
# DEPS   folder that contains Check, jansson and Nettle (default build/deps, if it exists), either as unpacked Debian packages
#        (usr/include, usr/lib/...) or as another installation (include, lib)
#
# Static libraries are linked into the program (STATIC). For shared libraries, the path of the folder is stored in the program.
.DEFAULT_GOAL := all
DEPS ?= $(wildcard build/deps)
PKG_CONFIG = pkg-config
ifneq ($(DEPS),)
deps := $(abspath $(DEPS))
triplet := $(shell $(CC) -dumpmachine)
deps_lib := $(wildcard $(deps)/usr/lib/$(triplet) $(deps)/usr/lib $(deps)/lib $(deps)/lib64)
# -idirafter: the headers of the compiler take precedence
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
#: unpack Debian's packages of the libraries into build/deps, without root (ARCH=arm64: for another machine)
deps: ; @sh grader/release/deps.sh build/deps$(ARCH:%=-%) "$(ARCH)"
