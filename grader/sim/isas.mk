# Selects the host instruction sets for which the simulator's handlers are compiled, and the compiler options of each set.
#
# STATIC=1 builds programs that run on other machines, so it compiles all sets. To save time, `make`, `make grade` and
# `make labN` compile only the baseline, the best set of this machine, and those sets that have been compiled before.
ISAS := $(shell sh grader/sim/isas.sh "$(CC)" $(STATIC))
ifeq ($(STATIC)$(filter-out all grade lab%,$(MAKECMDGOALS)),)
ISAS := $(filter baseline $(lastword $(ISAS)) $(patsubst $(BUILD)/grader/sim/exec_%.o,%,$(wildcard $(BUILD)/grader/sim/exec_*.o)),$(ISAS))
endif
CPPFLAGS += $(ISAS:%=-DSIM_HAVE_%)
# EXEC_OPTIMIZE overrides the optimization of all sets. If a better set exists, the others serve only for comparisons. In
# measurements, both avx sets were slower with -O1. -fpeel-loops unrolls the loops over lanes. Before version 12, gcc
# vectorizes at -O2 only with -ftree-vectorize.
OPTIMIZE_baseline = $(if $(filter-out baseline,$(ISAS)),$(if $(STATIC),-O1,-O0))
OPTIMIZE_avx2 = $(if $(STATIC)$(filter avx2,$(lastword $(ISAS))),-O2 -ftree-vectorize -fpeel-loops,-O0)
ISA_avx2 = -march=x86-64-v3
ISA_avx512 = -march=x86-64-v4 -mprefer-vector-width=512

# In structures and rows of 100 bytes or more, gcc copies and clears with `rep movs` and `rep stos`, which take 20 ns to start on an
# EPYC. The C library needs a quarter of that.
NO_REP := $(shell $(CC) -mstringop-strategy=libcall -E -x c /dev/null >/dev/null 2>&1 && echo -mstringop-strategy=libcall)
$(ISAS:%=$(BUILD)/grader/sim/exec_%.o) $(patsubst %.c,$(BUILD)/%.o,$(wildcard grader/sim/*.c grader/probes/*.c)): CPPFLAGS += $(NO_REP)

# Code in which the grades of most labs spend no time, but other programs may, is compiled with -O1 to shorten the build
WARM_CFLAGS := $(if $(filter file,$(origin CFLAGS)),$(if $(STATIC),,-O1))
WARM := $(wildcard grader/ptx/doc.c $(patsubst %,grader/probes/%.c,catalog finding heap moves stale textures) $(patsubst %,grader/sim/%.c, \
  async bulk children fetch heap inspect mbarrier print tensormap texture video wgmma wmma))
$(WARM:%.c=$(BUILD)/%.o): override CFLAGS += $(WARM_CFLAGS)
