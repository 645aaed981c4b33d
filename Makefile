# The kit's build. `make help` lists the targets.
#
# BUILD   output folder (default build)
# CUDA    compiler for kernels: auto, nvrtc, nvcc or clang (default auto: the first one available)
# V       1: show every command
# CHECKS  tests for test, test-asan, valgrind and coverage (default all): CHECKS="check_ptx check_sim"
# OP      make labN: a file with a type and an operator of your own (docs/own-operator.md)
#
# `make help` prints the comment `#: text` above a target. `make campaign` reads what the target requires from the words after `##`:
# COMMAND:PACKAGE, root, gpu, or an argument NAME=VALUE.

BUILD ?= build
Q = $(if $(V),,@)
CUDA ?= auto
CC := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CFLAGS ?= -O2 -g1
GRADE_CACHE = $(abspath $(BUILD))/cache
# the folder of the compiled kernels of the tests, shared by tests with and without sanitizers
KERNEL_CACHE ?= $(abspath $(BUILD))/kernels
GRADE = $(abspath $(BUILD)/grade)
export CUDA GRADE GRADE_CACHE KERNEL_CACHE
PARALLEL := $(if $(filter-out 0,$(MAKELEVEL))$(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
MAKEFLAGS += -rR --no-print-directory $(PARALLEL)

WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-format-truncation -Wno-missing-field-initializers
CPPFLAGS += -D_GNU_SOURCE -Igrader -Icommon -I$(BUILD)
# -fwrapv: integers of PTX wrap. -ffp-contract=off: PTX fuses multiplication and addition only in fma
COMPILE = mkdir -p $(@D) && echo "  cc $@" && $(CC) -std=gnu11 $(WARNINGS) -fwrapv -ffp-contract=off -MMD -MP $(CPPFLAGS) $(CFLAGS)
include grader/release/deps.mk grader/release/install.mk grader/exec/exec.mk grader/sim/isas.mk
# optional: libyaml reads Gradescope's list of students, libmicrohttpd serves the page of --watch
YAML := $(shell $(PKG_CONFIG) --exists yaml-0.1 2>/dev/null && echo -lyaml)
HTTP := $(if $(STATIC),,$(shell $(PKG_CONFIG) --exists libmicrohttpd 2>/dev/null && echo -lmicrohttpd))
CPPFLAGS += $(YAML:%=-DHAVE_YAML) $(HTTP:%=-DHAVE_MICROHTTPD)
LDLIBS += $(shell $(PKG_CONFIG) --libs check jansson nettle 2>/dev/null) $(YAML) $(HTTP) -lgomp -lm -lpthread
LABS := $(shell ls -d labs/lab*_*/grader.c | sed 's:labs/\([^_]*\)_.*:\1:' | sort -V)
SOURCES := $(filter-out grader/sim/exec.c grader/main.c grader/tests/% grader/exec/cudart_% grader/exec/driver_%, \
  $(wildcard grader/*.c grader/*/*.c grader/*/*/*.c)) $(wildcard common/*.c labs/*/grader.c)
OBJECTS := $(ISAS:%=$(BUILD)/grader/sim/exec_%.o) $(SOURCES:%.c=$(BUILD)/%.o)
# programs with their own source file: tests, and tools with a main() (grader/tests/NAME.c to $(BUILD)/NAME)
CHECKS := $(patsubst grader/tests/%.c,%,$(wildcard grader/tests/check_*.c))
PROGRAMS := $(CHECKS) bench_sim shoot pages mutate marks hides diff_gpu make_class
# Unless CFLAGS is given, code in which a grade spends no time is not optimized, which shortens a first build
COLD_CFLAGS := $(if $(filter file,$(origin CFLAGS)),$(if $(STATIC),,-O0))
HOT = class/alike class/chance class/fingerprints ladder/cpu judge/batch judge/case_% judge/checks judge/figures judge/run judge/special
COLD := $(filter-out $(HOT:%=grader/%.c),$(wildcard grader/*.c labs/*/grader.c grader/device/cuda.c \
  $(patsubst %,grader/%/*.c,class compile course exec fix hardware judge ladder live release report run sandbox watch)))
$(COLD:%.c=$(BUILD)/%.o): override CFLAGS += $(COLD_CFLAGS)
$(HOT:%=$(BUILD)/grader/%.o) $(BUILD)/common/reference.o: override CFLAGS += $(HOT_CFLAGS)
.PHONY: $(shell sed -n '/^[^a-z]: /{n;s/^\([a-z-]*\):.*/\1/p}' Makefile $(wildcard grader/*/*.mk)) $(LABS) checks run-checks ALWAYS
.DELETE_ON_ERROR:
#: build the grade command
all: grade
#: build everything, and compile the lab's reduce.cu (make lab1, make lab2, ...)
$(LABS): grade
	@printf '%s\n' $(CUDA) > $(BUILD)/compiler
	@./grade $@ --compile-only $(if $(OP),--op "$(OP)")
grade: $(BUILD)/grade # replaces the command at once, even while it is running (base/program.h)
	@cp -f $< $@.new && mv -f $@.new $@

# ---- objects -------------------------------------------------------------------------------------------------------------
# Installs packages once. A handout needs fewer, because it derives no skeletons and grades only the user's own files
$(BUILD)/setup.done:
	@DEPS="$(DEPS)" sh grader/setup.sh $@ $(if $(wildcard solutions/lab*_*/reduce.cu),unifdef bwrap bsdtar)
$(OBJECTS) $(BUILD)/grader/main.o $(PROGRAMS:%=$(BUILD)/grader/tests/%.o): | $(BUILD)/setup.done
$(BUILD)/%.o: %.c
	$(Q)$(COMPILE) -c -o $@ $<
$(BUILD)/grader/sim/program.o $(BUILD)/grader/watch/serve.o $(BUILD)/grader/class/people.o: $(BUILD)/isas
$(BUILD)/isas: ALWAYS
	@mkdir -p $(@D); echo '$(ISAS) $(YAML) $(HTTP)' | cmp -s - $@ || echo '$(ISAS) $(YAML) $(HTTP)' > $@
$(BUILD)/grader/sim/exec_%.o: grader/sim/exec.c
	$(Q)$(COMPILE) $(or $(EXEC_OPTIMIZE),$(OPTIMIZE_$*),-O3) $(ISA_$*) -DEXEC_ISA=$* -c -o $@ $<
$(BUILD)/grader/ladder/cpu.o: CPPFLAGS += -fopenmp
$(BUILD)/labs.inc: $(wildcard labs/*/grader.c) | $(BUILD)/setup.done
	@printf 'LAB(%s)\n' $(LABS) > $@
$(BUILD)/grader/judge/labs.o: $(BUILD)/labs.inc
$(BUILD)/grader/report/html.o: $(wildcard grader/report/html/* grader/live/*.css grader/live/*.js grader/live/*.b64)
$(BUILD)/grader/class/page.o: $(wildcard grader/report/html/* grader/class/*.html grader/class/*.css grader/class/*.js)
$(BUILD)/libgrade.a: $(OBJECTS)
	@rm -f $@; ar rcs $@ $^
# Evaluated when linking, after the setup may have installed pkg-config. STATIC: for machines without Check, jansson and Nettle
LIBRARIES = $(if $(STATIC),-Xlinker -Bstatic -lcheck_pic -lsubunit -ljansson -lnettle $(YAML) -lgomp \
  -Xlinker -Bdynamic -lrt -lm,$$($(PKG_CONFIG) --libs check jansson nettle) $(LDLIBS))
# lld or gold, if available, links faster. Static builds may be for another architecture, whose compiler may lack them
LDFLAGS := $(if $(STATIC),,$(patsubst ld.%,-fuse-ld=%,$(notdir $(or $(shell command -v ld.lld),$(shell command -v ld.gold))))) $(LDFLAGS)
LINK = $(CC) $(CFLAGS) $(LDFLAGS) -o $@.new $^ $(LIBRARIES) -lpthread && mv -f $@.new $@
$(BUILD)/grade: $(BUILD)/grader/main.o $(BUILD)/libgrade.a
	$(Q)$(LINK)
$(PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/grader/tests/%.o $(BUILD)/libgrade.a
	$(Q)$(LINK)

# ---- tests ---------------------------------------------------------------------------------------------------------------
# Tests are compiled at -O0, which is faster, and without -fsanitize=undefined, which the tested code uses. positions.h makes their
# assertions cheap
$(CHECKS:%=$(BUILD)/grader/tests/%.o): override CFLAGS += -O0 -fno-sanitize=undefined -include grader/tests/positions.h
with = $(patsubst grader/tests/%.c,%,$(shell grep -l '^/\* run:.*\<$(1)\>' grader/tests/check_*.c))
# the plain tests are built first; the sanitized ones are built and run at a lower priority while the plain ones run
PLAIN = $(filter-out $(call with,sanitized) $(call with,apart),$(CHECKS))
#: run the tests (long tables in part), many also with sanitizers; skip tests with unchanged inputs (FRESH=1: skip none; TURN=0: which part)
test: export TURN ?= $(shell git rev-parse --short=4 HEAD 2>/dev/null)
test: grade lint
	@rm -f $(BUILD)/tests.txt $(BUILD)/*/tests.txt; set -e; for s in release/skeletons live/wasm site/kernels; do sh grader/$$s.sh check; done
	@for d in ptx gpus findings; do ./grade --$$d-doc | cmp -s - docs/$$d.md || { echo "docs/$$d.md is stale: run make docs"; exit 1; }; done
	@$(MAKE) checks CHECKS="$(PLAIN)"; { LIGHT=1 CK_FORK=no nice $(MAKE) $(SANITIZED) run-checks || true; } & \
	$(MAKE) run-checks CHECKS="$(PLAIN)" || true; wait
	@sh grader/tests/run.sh sum $(BUILD) $(BUILD)/asan
#: run the tests only with address and undefined-behavior sanitizers
test-asan:
	@$(MAKE) $(SANITIZED) run-checks || true; sh grader/tests/run.sh sum $(BUILD)/asan
checks: $(BUILD)/grade $(BUILD)/diff_gpu $(CHECKS:%=$(BUILD)/%)
run-checks: checks
	@sh grader/tests/run.sh $(BUILD) $(CHECKS)
#: run all of these targets that need no GPU in a copy of the kit, and print a table (hours; RESUME=1, TARGETS="lint test")
campaign:
	@env -u MAKEFLAGS CC="$(CC)" sh grader/tests/campaign.sh $(abspath $(BUILD))
#: test the report's page in a real browser; part of make test if there is one ## chromium:chromium chromedriver:chromium-driver
test-web: $(BUILD)/check_web $(BUILD)/grade; @$<
#: write report pages and pictures into docs/gallery ## chromium:chromium chromedriver:chromium-driver
gallery: $(BUILD)/shoot $(BUILD)/grade
	@sh grader/tests/gallery.sh $(abspath $(BUILD)/grade) $< $(BUILD) docs/gallery
#: run the tests under valgrind's memcheck (slow), with baseline handlers, because valgrind lacks newer instructions ## valgrind:valgrind
valgrind:
	@$(MAKE) BUILD=$(BUILD)/valgrind checks ISAS=baseline EXEC_OPTIMIZE=-O1 CFLAGS="-O1 -g"
	@sh grader/tests/valgrind.sh $(BUILD)/valgrind $(CHECKS)
#: run the randomized tests with SEEDS seeds each (default 100; a minute), then the library kernels without optimization
test-seeds: $(BUILD)/check_kernels $(BUILD)/check_library $(BUILD)/check_probes_order $(BUILD)/check_random
	@sh grader/tests/seeds.sh $(BUILD)
#: grade every mistake of grader/tests/mistakes.def (minutes); make test runs a sample; POINTS=write updates the points
test-mistakes: $(BUILD)/check_mistakes $(BUILD)/grade
#: grade hostile submissions (grader/tests/hostile.def), each in the sandbox (ten minutes); make test runs a sample
test-hostile: $(BUILD)/check_hostile $(BUILD)/grade
#: test the advice on all mistakes of grader/tests/beginner/ (half an hour); make test runs a sample
test-beginner: $(BUILD)/check_beginner $(BUILD)/grade
test-mistakes test-hostile test-beginner:
	@EVERY=1 $<
#: mutate solutions, and print how many mutants the grader catches (LAB=lab3; MUTANTS=20 SEED=1: a sample; ADVICE=1: also how many it fixes)
mutate: $(BUILD)/mutate $(BUILD)/grade
	@$< $(abspath $(BUILD)/grade) $(LAB)
#: grade all mistakes, and pairs of them, and compare their points with the rules of docs/grading.md (LAB=lab3 PAIRS=40)
marks: $(BUILD)/marks $(BUILD)/grade
	@$< $(LAB)
#: compare the verdicts of nvrtc, nvcc and clang on all mistakes (an hour; LAB=lab3: one lab; OLD=FOLDER keeps what is graded)
compilers: $(BUILD)/marks $(BUILD)/grade
	@sh grader/tests/compilers.sh $(BUILD) $(LAB)
#: grade a class while processes are killed at random; the gradebook must not differ (two minutes; COUNT=40 ROUNDS=12)
test-class: $(BUILD)/make_class $(BUILD)/grade
	@env -u MAKEFLAGS sh grader/tests/class.sh $(BUILD) kill
#: kill a process of each grade at a random time; the verdict must be the same or missing (TRIALS=200, three minutes; SEED=1)
test-killed: $(BUILD)/check_killed $(BUILD)/grade
	@TRIALS=$${TRIALS:-200} $<
#: grade a class on a local Slurm cluster, with two nodes killed in the middle ## slurmctld:slurm-wlm munged:munge root
test-slurm: $(BUILD)/make_class $(BUILD)/grade; @env -u MAKEFLAGS sh grader/tests/slurm.sh $(BUILD)
#: compare the simulator's findings with those of Oclgrind, kernel by kernel ## oclgrind-kernel:oclgrind
cross-check: $(BUILD)/check_kernels
	@sh grader/tests/cross_check.sh $< $(BUILD)
#: run the tests that need a GPU: device cuda, solutions, timing, and every instruction compared with the simulator, bit by bit ## gpu
test-gpu: $(patsubst %,$(BUILD)/%,$(call with,gpu)) $(BUILD)/diff_gpu $(BUILD)/grade
	@sh grader/tests/gpu.sh $(abspath $(BUILD))
#: time three kernels REPEATS times (default 20; two minutes) in separate processes, to check that times are reproducible ## gpu
repeat-timing: $(BUILD)/check_timing
	@GPU=1 REPEATS=$${REPEATS:-20} $<
#: compare modeled and measured times of all rows of the ladder and all solutions at 2^20, 2^24 and 2^28 (half an hour) ## gpu
calibrate: $(BUILD)/grade; @sh grader/tests/calibrate.sh $<
#: compare modeled and measured ratios of kernels whose blocks work unevenly, or of other rows (LAB=lab7 ROWS="fence,ticket") ## gpu jq:jq
beside: $(BUILD)/marks $(BUILD)/grade; @sh grader/tests/beside.sh $(BUILD) $(LAB)
#: compare a GPU with the simulator: solutions, correct kernels, ladder rows, counts of ncu, random programs (PROGRAMS=10000 SEED=1) ## gpu
diff-gpu: $(BUILD)/check_random $(BUILD)/diff_gpu $(BUILD)/grade
	@sh grader/tests/diff_gpu.sh $(abspath $(BUILD)/grade) $(abspath $(BUILD)/diff_gpu) $(BUILD)/diff_gpu.d
	@GPU=1 PROGRAMS=$${PROGRAMS:-10000} WORKERS=$${WORKERS:-$$(nproc)} CK_FORK=no $<
#: run the wrong kernels on a GPU, alone and under compute-sanitizer, and write docs/what-a-gpu-hides.md (five minutes) ## gpu
what-a-gpu-hides: $(BUILD)/hides $(BUILD)/grade
	@sh grader/tests/hides.sh document $(abspath $(BUILD)/grade) $(BUILD)/hides.d $<

# ---- a class -------------------------------------------------------------------------------------------------------------
#: grade a class: SUBMISSIONS=FOLDER (or an export), LAB=lab3, OUT=FOLDER, ROSTER=CSV, SEED=N, CLUSTER=slurm ## SUBMISSIONS=handed-in
gradebook: grade
	+@GIVEN="$(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v))" MAKE="$(MAKE)" \
	  DEVICE="$(or $(DEVICE),$(if $(GPU),cuda))" COMPILER="$(filter-out auto,$(CUDA))" sh grader/class/gradebook.sh "$(BUILD)"
#: write the reports for each student of a graded class: OUT=FOLDER ## zip:zip
feedback: grade; @sh grader/class/feedback.sh "$(BUILD)" - "$(or $(OUT),$(BUILD)/class)"
#: derive labs/*/reduce.cu from solutions/*/reduce.cu
skeletons: | $(BUILD)/setup.done; @sh grader/release/skeletons.sh write
#: draw docs/figures/*.svg
figures: $(wildcard docs/figures/*.[ch] grader/tests/*.def) grade | $(BUILD)/setup.done
	$(CC) -std=gnu11 $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -o $(BUILD)/figures $(filter %.c,$^) -lm
	$(BUILD)/figures docs/figures && ./grade ladder --sweep --svg docs/figures/sweep.svg && ./grade ladder --svg docs/figures/ladder.svg
#: compile the simulator for pages into grader/live/module.b64 ## clang:clang wasm-ld:lld
wasm: ; @sh grader/live/wasm.sh make
#: write docs/ptx.md, docs/gpus.md and docs/findings.md from the tables of instructions, GPUs and findings
docs: grade
	for d in ptx gpus findings; do ./grade --$$d-doc > docs/$$d.md; done

# ---- measuring -----------------------------------------------------------------------------------------------------------
#: measure the simulator on the tree kernel and all solutions, with and without probes, on one core and on all (NAMES="tree lab3")
bench-sim: $(BUILD)/bench_sim
	@$< $(NAMES) > $(BUILD)/bench_sim.txt; status=$$?; cat $(BUILD)/bench_sim.txt; exit $$status
	@sh grader/tests/bench_opencl.sh $(BUILD)
#: time the solutions and NVIDIA's cub::DeviceReduce on this machine's GPU (needs nvcc; ARGUMENTS=--svg or --csv) ## gpu
bench-gpu: $(BUILD)/bench_gpu
	@$< $(ARGUMENTS)
$(BUILD)/bench_gpu: grader/tests/bench_gpu.cu $(wildcard solutions/*/reduce.cu) | $(BUILD)/setup.done
	@sh grader/tests/bench_gpu.sh $< $@ $(BUILD)/bench
#: grade 300 submissions of lab3 with -j1 and -j2, and print time, rate and memory (LAB=lab5 COUNT=300 JOBS="1 2")
bench-class: $(BUILD)/make_class $(BUILD)/grade
	@env -u MAKEFLAGS sh grader/tests/class.sh $(BUILD) bench
#: measure the cost of the sandbox: CPU time of each solution with and without it (ROUNDS=5; COLD=1: recompile each time)
bench-sandbox: $(BUILD)/grade; @sh grader/tests/sandbox_cost.sh $(BUILD)
#: compare the time from saving a file to its verdict with `nvcc -ptx` of the file (LABS="lab3 lab8" ROUNDS=2) ## nvcc:nvidia-cuda-toolkit
bench-verdict: $(BUILD)/grade
	@sh grader/tests/verdict.sh $(BUILD)
#: print the line coverage of each folder of grader/ (CHECKS="check_ptx check_sim": of these tests)
coverage:
	@$(MAKE) BUILD=$(BUILD)/coverage run-checks FRESH=1 ISAS=baseline EXEC_OPTIMIZE=-O1 CFLAGS="-O1 -g --coverage"
	@sh grader/tests/coverage.sh $(BUILD)/coverage
#: fuzz the PTX parser and decoder; stop with Ctrl-C ## clang:clang FUZZ_OPTIONS=-max_total_time=60
fuzz: | $(BUILD)/setup.done; @sh grader/tests/fuzz.sh $(BUILD) $(FUZZ_OPTIONS)

# ---- releases ------------------------------------------------------------------------------------------------------------
HANDOUT = $(BUILD)/handout/reduction-labs-handout.tar.gz
#: check every solution, skeleton, link, point and prediction of the labs in labs/course.conf
check-course: grade; @./grade release check
#: pack the students' archive, without solutions, for the labs in labs/course.conf
handout: $(BUILD)/grade
	@rm -rf $(BUILD)/handout && mkdir -p $(BUILD)/handout && sh grader/release/handout.sh pack $(BUILD)/handout/kit $< $(HANDOUT)
#: unpack the students' archive, search it for solutions, build it, and grade with it and each available compiler (minutes)
test-handout: $(BUILD)/grade $(BUILD)/check_handout $(BUILD)/check_giveaway
	@sh grader/tests/handout.sh $(BUILD)
#: write the page of a solution, with the cost of each line: LAB=lab3; CLASS=FOLDER (of make gradebook) ## LAB=lab3 cmark-gfm:cmark-gfm
publish: $(BUILD)/grade
	@sh grader/release/publish.sh "$(GRADE)" "$(LAB)" "$(BUILD)/publish" $(if $(CLASS),"$(CLASS)")
#: pack Gradescope's autograder of a lab: LAB=lab3; SECRET=FILE with the course's secret ## LAB=lab3 zip:zip
gradescope: handout
	@sh grader/release/gradescope.sh "$(LAB)" "$(HANDOUT)" "$(BUILD)/gradescope/$(LAB).zip" $(if $(SECRET),"$(SECRET)")
#: test the commands in docs/ci/ for autograder services: Gradescope's zip, and the workflows (minutes) ## jq:jq zip:zip
test-ci: handout
	@sh grader/tests/ci.sh $(BUILD)

# ---- care ----------------------------------------------------------------------------------------------------------------
#: check style, layers, the sizes of files and rows, overused words, and spelling
lint: ; @sh grader/tests/lint.sh $(if $(filter test,$(MAKECMDGOALS)),recent)
#: format the C and JavaScript files ## clang-format:clang-format
format:
	@sh grader/tests/lint.sh format
#: remove everything that was built
clean:
	rm -rf $(BUILD) grade
#: print this list
help: ; @awk -f grader/help.awk $(filter Makefile %.mk,$(MAKEFILE_LIST))

-include grader/site/site.mk $(wildcard grader/tests/*.mk) $(OBJECTS:.o=.d) $(wildcard $(BUILD)/grader/*.d $(BUILD)/grader/tests/*.d)
