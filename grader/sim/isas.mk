# Selects the instruction sets for which the simulator's handlers are built, and their options.
#
# STATIC=1 builds programs for other machines, with all sets. To save time, `make`, `make grade` and `make labN` build only the
# best set for this machine, besides sets that have been built before
ISAS := $(shell sh grader/sim/isas.sh "$(CC)" $(STATIC))
ifeq ($(STATIC)$(filter-out all grade lab%,$(MAKECMDGOALS)),)
ISAS := $(filter baseline $(lastword $(ISAS)) $(patsubst $(BUILD)/grader/sim/exec_%.o,%,$(wildcard $(BUILD)/grader/sim/exec_*.o)),$(ISAS))
endif
CPPFLAGS += $(ISAS:%=-DSIM_HAVE_%)
# EXEC_OPTIMIZE overrides the optimization of all sets. If a better set is built, the baseline is used only for comparisons. -O3
# makes avx2 no faster, and takes 50 % longer to compile. gcc before 12 vectorizes at -O2 only with -ftree-vectorize.
OPTIMISE_baseline = $(if $(filter-out baseline,$(ISAS)),$(if $(STATIC),-O1,-O0))
OPTIMISE_avx2 = -O2 -ftree-vectorize
ISA_avx2 = -march=x86-64-v3
ISA_avx512 = -march=x86-64-v4 -mprefer-vector-width=512
