# Minimal for now: objects of every module, one archive, the grade command, one program a test file.
BUILD ?= build
CC ?= gcc
CFLAGS ?= -O2 -g
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CPPFLAGS += -D_GNU_SOURCE -Igrader -Icommon -I$(BUILD)
ALLFLAGS = -std=gnu11 $(WARN) -fwrapv -ffp-contract=off -MMD -MP $(CPPFLAGS) $(CFLAGS)
LDLIBS += $(shell pkg-config --libs check jansson) -lm -lpthread -ldl

SRC = $(filter-out grader/sim/exec.c,$(wildcard grader/options.c grader/ptx/*.c grader/sim/*.c grader/probes/*.c grader/device/*.c grader/judge/*.c grader/report/*.c common/*.c labs/*/grader.c))
OBJ = $(SRC:%.c=$(BUILD)/%.o) $(patsubst %,$(BUILD)/grader/sim/exec_%.o,baseline avx2 avx512)
TESTS = $(patsubst grader/tests/%.c,$(BUILD)/%,$(wildcard grader/tests/check_*.c))

all: grade
$(BUILD)/labs.inc: $(wildcard labs/*/grader.c)
	@mkdir -p $(@D)
	printf 'LAB(%s)\n' $(sort $(foreach f,$^,$(firstword $(subst _, ,$(notdir $(patsubst %/,%,$(dir $(f)))))))) > $@
$(BUILD)/grader/judge/labs.o: $(BUILD)/labs.inc
grade: $(BUILD)/grade
	cp $< $@
$(BUILD)/grade: $(BUILD)/grader/main.o $(BUILD)/libgrade.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/libgrade.a: $(OBJ)
	rm -f $@; ar rcs $@ $^
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALLFLAGS) -c -o $@ $<
$(BUILD)/check_%: $(BUILD)/grader/tests/check_%.o $(BUILD)/libgrade.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
ISA_baseline =
ISA_avx2 = -march=x86-64-v3
ISA_avx512 = -march=x86-64-v4 -mprefer-vector-width=512
$(BUILD)/grader/sim/exec_%.o: grader/sim/exec.c
	@mkdir -p $(@D)
	$(CC) $(ALLFLAGS) -O3 $(ISA_$*) -DEXEC_ISA=$* -c -o $@ $<
test: $(TESTS)
	for t in $^; do $$t || exit 1; done
clean:
	rm -rf $(BUILD) grade
.PHONY: all test clean
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
