# The kit's build. `make help` lists what there is to make.
#
# BUILD   folder of everything that is made (default build)
# CUDA    compiler of kernels: auto, nvcc or clang (default auto: nvcc where there is one, else clang)
# V       1: show every command as it runs
# OP      make labN: a file with a type and an operator of your own (docs/own-operator.md)

BUILD ?= build
Q = $(if $(V),,@)
CUDA ?= auto
CC := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CFLAGS ?= -O2 -g1
export CUDA
export GRADE_CACHE = $(abspath $(BUILD))/cache
# compiled kernels of the tests: the tests with sanitizers take those of the tests without
KERNEL_CACHE ?= $(abspath $(BUILD))/kernels
export KERNEL_CACHE
MAKEFLAGS += -rR
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-format-truncation -Wno-missing-field-initializers
CPPFLAGS += -D_GNU_SOURCE -Igrader -Icommon -I$(BUILD)
# -fwrapv: PTX integers wrap; -ffp-contract=off: PTX says itself what is fused
COMPILE = $(CC) -std=gnu11 $(WARNINGS) -fwrapv -ffp-contract=off -MMD -MP $(CPPFLAGS) $(CFLAGS)
# libyaml, where it is there, reads Gradescope's list of students
YAML := $(shell pkg-config --exists yaml-0.1 2>/dev/null && echo -lyaml)
CPPFLAGS += $(YAML:%=-DHAVE_YAML)
LDLIBS += $(shell pkg-config --libs check jansson 2>/dev/null) $(YAML) -lgomp -lcrypt -lm -lpthread

# in the order of their numbers
LABS := $(shell printf '%s\n' $(foreach f,$(wildcard labs/lab*_*/grader.c),$(firstword $(subst _, ,$(notdir $(patsubst %/,%,$(dir $f)))))) | sort -V)
# The simulator's handlers are built once for each instruction set that this machine has; the best one is taken at start.
# A program that is carried to other machines (STATIC=1) has them all.
ifndef ISAS
OF_MACHINE := $(shell $(CC) -march=native -dM -E - </dev/null 2>/dev/null | awk '/ __AVX2__ / { print "avx2" } / __AVX512VL__ / { print "avx512" }')
ISAS := baseline $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),$(if $(STATIC),avx2 avx512,$(OF_MACHINE)))
endif
CPPFLAGS += $(ISAS:%=-DSIM_HAVE_%)
# EXEC_OPTIMISE, if given, is for all of them. The baseline set is for comparisons alone where there is a better one: at -O0 it is compiled in a sixth of
# the time. avx2 runs no faster at -O3, which compiles half as long again; gcc before 12 makes vector code at -O2 only when told.
OPTIMISE_baseline = $(if $(filter avx2,$(ISAS)),$(if $(STATIC),-O1,-O0))
OPTIMISE_avx2 = -O2 -ftree-vectorize
ISA_avx2 = -march=x86-64-v3
ISA_avx512 = -march=x86-64-v4 -mprefer-vector-width=512

MODULES = base record sandbox model/gpus plan ptx sim probes model device judge report course run ladder hardware release class
SOURCES := $(filter-out grader/sim/exec.c,$(foreach m,$(MODULES),$(wildcard grader/$m/*.c))) grader/options.c $(wildcard common/*.c labs/*/grader.c)
# those that take longest first
OBJECTS := $(ISAS:%=$(BUILD)/grader/sim/exec_%.o) $(SOURCES:%.c=$(BUILD)/%.o)
CHECKS := $(patsubst grader/tests/%.c,%,$(wildcard grader/tests/check_*.c))

.PHONY: all help setup test test-asan test-web gallery test-gpu repeat-timing diff-gpu test-mistakes test-hostile mutate test-seeds gradebook test-class test-killed test-slurm bench-class cross-check valgrind bench-sim bench-gpu calibrate skeletons check-skeletons docs figures lint format coverage fuzz clean $(LABS)
.DELETE_ON_ERROR:

#: build the grade command
all: grade

#: build everything, compile your reduce.cu of that lab (lab1, lab2, ...)
$(LABS): grade
	@printf '%s\n' $(CUDA) > $(BUILD)/compiler
	@./grade $@ --compile-only $(if $(OP),--op "$(OP)")

grade: $(BUILD)/grade
	@cp $< $@

# ---- set-up: packages -------------------------------------------------------------------------------------------------------------
# a handout has no solutions to derive skeletons from, and grades nobody else's files
TOOLS := $(if $(wildcard solutions/lab*_*/reduce.cu),unifdef bwrap)
PACKAGES = check libjansson-dev pkg-config $(TOOLS:bwrap=bubblewrap)
$(BUILD)/setup.done:
	@mkdir -p $(BUILD)
	@if ! pkg-config --exists check jansson 2>/dev/null $(TOOLS:%=|| ! command -v % >/dev/null); then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing $(PACKAGES)"; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(PACKAGES); } >$(BUILD)/setup.log 2>&1 \
	      || { tail -5 $(BUILD)/setup.log; exit 1; }; \
	  else echo "Packages are missing. Install them with:"; echo "    sudo apt-get install $(PACKAGES)"; exit 1; fi; fi
	@if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ] && ! command -v clang >/dev/null; then \
	  echo "There is no compiler for kernels. Install the CUDA Toolkit, or clang with:"; echo "    sudo apt-get install clang"; exit 1; fi
	@touch $@

# ---- objects -----------------------------------------------------------------------------------------------------------------------
$(OBJECTS): | $(BUILD)/setup.done
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  cc $@"
	$(Q)$(COMPILE) -c -o $@ $<
$(BUILD)/grader/sim/program.o: $(BUILD)/isas
$(BUILD)/isas: ALWAYS
	@mkdir -p $(@D)
	@echo '$(ISAS)' | cmp -s - $@ || echo '$(ISAS)' > $@
.PHONY: ALWAYS
$(BUILD)/grader/sim/exec_%.o: grader/sim/exec.c
	@mkdir -p $(@D)
	@echo "  cc $@"
	$(Q)$(COMPILE) $(or $(EXEC_OPTIMISE),$(OPTIMISE_$*),-O3) $(ISA_$*) -DEXEC_ISA=$* -c -o $@ $<
# threads of the CPU rows
$(BUILD)/grader/ladder/cpu.o: CPPFLAGS += -fopenmp
$(BUILD)/labs.inc: $(wildcard labs/*/grader.c) | $(BUILD)/setup.done
	@printf 'LAB(%s)\n' $(LABS) > $@
$(BUILD)/grader/judge/labs.o: $(BUILD)/labs.inc
# the report's page is put together from these files, which the object holds
$(BUILD)/grader/report/html.o: $(wildcard grader/report/html/*)
$(BUILD)/grader/class/page.o: grader/report/html/page.css grader/report/html/base.js $(wildcard grader/class/*.html grader/class/*.css grader/class/*.js)
$(BUILD)/libgrade.a: $(OBJECTS)
	@rm -f $@; ar rcs $@ $^
# pkg-config may have been installed by the set-up just now: asked again when linking
# STATIC: Check and jansson in the programs, to carry them to a machine that has neither
LIBRARIES = $(if $(STATIC),-Wl$(comma)-Bstatic -lcheck_pic -lsubunit -ljansson $(YAML) -lgomp -Wl$(comma)-Bdynamic -lcrypt -lrt -lm,$$(pkg-config --libs check jansson) $(LDLIBS))
comma = ,
# a test says what is wrong, however fast: -O0 compiles it in a third of the time; undefined behaviour is looked for in what is tested
$(CHECKS:%=$(BUILD)/grader/tests/%.o): override CFLAGS += -O0 -fno-sanitize=undefined
# gold, where it is there, links a test in half the time
LDFLAGS := $(if $(shell command -v ld.gold 2>/dev/null),-fuse-ld=gold) $(LDFLAGS)
LINK = $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBRARIES) -lpthread
$(BUILD)/grader/main.o $(CHECKS:%=$(BUILD)/grader/tests/%.o) $(BUILD)/grader/tests/bench_sim.o $(BUILD)/grader/tests/shoot.o $(BUILD)/grader/tests/mutate.o $(BUILD)/grader/tests/hides.o $(BUILD)/grader/tests/diff_gpu.o: | $(BUILD)/setup.done
$(BUILD)/grade: $(BUILD)/grader/main.o $(BUILD)/libgrade.a
	$(Q)$(LINK)
$(CHECKS:%=$(BUILD)/%) $(BUILD)/bench_sim $(BUILD)/shoot $(BUILD)/mutate $(BUILD)/hides $(BUILD)/diff_gpu $(BUILD)/make_class: $(BUILD)/%: $(BUILD)/grader/tests/%.o $(BUILD)/libgrade.a
	$(Q)$(LINK)

# ---- tests ---------------------------------------------------------------------------------------------------------------------------
SANITIZED = ISAS=baseline EXEC_OPTIMISE=-O0 \
  CFLAGS="-Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
# Runs of the whole command and of compilers are dear, and say little, under sanitizers: those of check_run, check_schema and check_judge stand for all.
WHOLE_RUNS = check_add_gpu check_add_lab check_add_probe check_claims check_cli check_grade check_gpu check_handout check_hardware_run check_hostile check_killed check_ladder \
  check_library check_mistakes check_own check_probes_order check_submissions check_web
SANITIZED += CHECKS="$(filter-out $(WHOLE_RUNS),$(CHECKS))"
# What reads and writes text does the same however it is compiled: its tests run under sanitizers alone.
TEXTS = check_class check_class_parts check_course check_hardware check_judge check_labs check_model check_on_gpu check_ptx check_ptx_corpus \
  check_ptx_decode check_ptx_joins check_ptx_module check_ptx_refused check_report check_secret check_timing check_undefined
#: all tests, most with and without sanitizers, where they say most; under three minutes on two cores
test: check-skeletons check-docs lint
	@PLAIN=1 $(MAKE) --no-print-directory BUILD=$(BUILD) run-checks RUN_LOG=plain CHECKS="$(filter-out $(TEXTS),$(CHECKS))"
	@LIGHT=1 CK_FORK=no $(MAKE) --no-print-directory BUILD=$(BUILD)/asan run-checks RUN_LOG=asan $(SANITIZED) GRADE_CACHE=$(GRADE_CACHE)
	@cat $(BUILD)/tests-plain.txt $(BUILD)/asan/tests-asan.txt | awk '{ p += $$1; f += $$3; s += $$5 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }'
#: the tests with address and undefined-behaviour sanitizers only
test-asan:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan run-checks RUN_LOG=asan $(SANITIZED)
# those that take long begin first
LONG = check_grade check_cli check_web check_ladder check_mistakes check_hostile check_ops_lanes check_own check_library check_submissions \
  check_release check_run check_report check_sinks check_kernels check_ops_memory check_judge check_ops_convert check_timing check_ptx_module
IN_ORDER = $(filter $(CHECKS),$(LONG)) $(filter-out $(LONG),$(CHECKS))
RUN_LOG ?= plain
.PHONY: run-checks check-docs
run-checks: $(BUILD)/grade $(BUILD)/diff_gpu $(CHECKS:%=$(BUILD)/%)
	@GRADE=$(abspath $(BUILD)/grade) sh grader/tests/run.sh $(BUILD)/tests-$(RUN_LOG).txt $(IN_ORDER:%=$(BUILD)/%)
#: the report's page in a real browser (Debian: chromium, chromium-driver); part of make test where there is one
test-web: $(BUILD)/check_web $(BUILD)/grade
	@GRADE=$(abspath $(BUILD)/grade) $<
#: report pages and pictures of the solutions and of wrong kernels, into docs/gallery (needs chromium and its driver)
gallery: $(BUILD)/shoot $(BUILD)/grade
	@sh grader/tests/gallery.sh $(abspath $(BUILD)/grade) $< $(BUILD) docs/gallery
#: the tests under valgrind's memcheck (slow); of the handlers only the baseline ones, whose instructions it knows
valgrind:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/valgrind run-valgrind ISAS=baseline EXEC_OPTIMISE=-O1 CFLAGS="-O1 -g"
.PHONY: run-valgrind
run-valgrind: $(CHECKS:%=$(BUILD)/%) $(BUILD)/grade
	@status=0; for t in $(CHECKS); do \
	  CK_FORK=no CK_TIMEOUT_MULTIPLIER=60 GRADE=$(abspath $(BUILD)/grade) valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
	    $(BUILD)/$$t >$(BUILD)/$$t.valgrind 2>&1; \
	  case $$? in 0) echo "$$t: clean" ;; 1) echo "$$t: clean (valgrind rounds to nearest only: see $(BUILD)/$$t.valgrind)" ;; \
	    *) status=1; echo "$$t: errors, see $(BUILD)/$$t.valgrind" ;; esac; done; exit $$status

#: the kernels that are wrong, right, and of libraries under SEEDS seeds each (default 100; a minute), the library's not optimised too
test-seeds: $(BUILD)/check_kernels $(BUILD)/check_library
	@for t in $^; do SEEDS=$${SEEDS:-100} $$t || exit 1; done
	@for f in "-Xcicc -O0" -G; do echo "library kernels with $$f"; KERNEL_FLAGS="$$f" $(BUILD)/check_library || exit 1; done

#: every mistake of grader/tests/mistakes.def (a minute); make test takes a sample of them
test-mistakes: $(BUILD)/check_mistakes $(BUILD)/grade
	@EVERY=1 GRADE=$(abspath $(BUILD)/grade) $<
#: hostile submissions (grader/tests/hostile.def), each in the sandbox (ten minutes); make test takes a sample of them
test-hostile: $(BUILD)/check_hostile $(BUILD)/grade
	@EVERY=1 GRADE=$(abspath $(BUILD)/grade) $<
#: change the solutions mechanically and tell what share the grader catches (LAB=lab3: one; MUTANTS=20 SEED=1: a sample of each)
mutate: $(BUILD)/mutate $(BUILD)/grade
	@$< $(abspath $(BUILD)/grade) $(LAB)
#: a class graded while processes are killed at random (two minutes): the same gradebook as undisturbed (COUNT=40, ROUNDS=12, SEED=1)
test-class: $(BUILD)/make_class $(BUILD)/grade
	@env -u MAKEFLAGS sh grader/tests/class.sh $(BUILD) kill
#: grades while one process of each is killed at a moment of chance (TRIALS=200, three minutes; SEED=1): the same verdict or none
test-killed: $(BUILD)/check_killed $(BUILD)/grade
	@TRIALS=$${TRIALS:-200} GRADE=$(abspath $(BUILD)/grade) $<
#: a class on a Slurm of this machine's own, with a node killed in the middle (Debian: slurm-wlm, munge; as root)
test-slurm: $(BUILD)/make_class $(BUILD)/grade
	@env -u MAKEFLAGS sh grader/tests/slurm.sh $(BUILD)
#: compare our findings with those of Oclgrind (Debian: oclgrind), kernel by kernel
cross-check: $(BUILD)/check_kernels
	@sh grader/tests/cross_check.sh $< $(BUILD)

GPU_CHECKS = check_gpu check_timing check_ops check_ops_convert check_ops_lanes check_ops_memory
#: the tests that need a GPU: device cuda, the labs' solutions, timing, and every instruction there beside the simulator, to the bit
test-gpu: $(GPU_CHECKS:%=$(BUILD)/%) $(BUILD)/diff_gpu $(BUILD)/grade
	@sh grader/tests/diff_gpu.sh $(abspath $(BUILD)/grade) $(abspath $(BUILD)/diff_gpu) $(BUILD)/diff_gpu.d
	@$(BUILD)/grade all --solution --device cuda --quiet
	@GPU=1 $(BUILD)/check_gpu && GPU=1 $(BUILD)/check_timing && \
	  { printf 'PARTS=4 PART=%s $(abspath $(BUILD))/check_ops_lanes\n' 0 1 2 3; \
	    printf '%s\n' $(patsubst %,$(abspath $(BUILD))/%,$(filter-out check_gpu check_timing check_ops_lanes,$(GPU_CHECKS))); } | GPU=1 CK_FORK=no xargs -P 7 -L 1 env

#: do repeated times agree? Three kernels timed REPEATS times each (default 20; two minutes), in processes of their own
repeat-timing: $(BUILD)/check_timing
	@GPU=1 REPEATS=$${REPEATS:-20} $<

#: on a GPU: modelled beside measured time of all rows of the ladder and all solutions at 2^20, 2^24 and 2^28 (half an hour)
calibrate: $(BUILD)/grade
	@sh grader/tests/calibrate.sh $<

#: a GPU beside the simulator: solutions, right kernels, ladder rows (bits), counts by ncu, random programs (PROGRAMS=10000, SEED=1)
diff-gpu: $(BUILD)/check_random $(BUILD)/diff_gpu $(BUILD)/grade
	@sh grader/tests/diff_gpu.sh $(abspath $(BUILD)/grade) $(abspath $(BUILD)/diff_gpu) $(BUILD)/diff_gpu.d
	@GPU=1 PROGRAMS=$${PROGRAMS:-10000} WORKERS=$${WORKERS:-$$(nproc)} CK_FORK=no $(BUILD)/check_random

.PHONY: what-a-gpu-hides
#: write docs/what-a-gpu-hides.md: the wrong kernels under compute-sanitizer and alone, on a GPU (five minutes)
what-a-gpu-hides: $(BUILD)/hides $(BUILD)/grade
	@nvidia-smi >/dev/null 2>&1 || { echo "SKIP what-a-gpu-hides: the wrong kernels under compute-sanitizer: no GPU here"; exit 0; }; \
	  for what in prepare run; do sh grader/tests/hides.sh $$what $(abspath $(BUILD)/grade) $(BUILD)/hides.d || exit 1; done; \
	  $< $(BUILD)/hides.d > $(BUILD)/hides.md && mv $(BUILD)/hides.md docs/what-a-gpu-hides.md

# ---- a class --------------------------------------------------------------------------------------------------------------------------
OUT ?= $(BUILD)/class
#: grade a class: SUBMISSIONS=FOLDER (or an export), LAB=lab3, OUT=FOLDER, ROSTER=CSV, SEED=N, CLUSTER=slurm [GPU=1]; only what changed is graded again
gradebook: grade
	+@MAKE="$(MAKE)" LAB="$(LAB)" SHAPE="$(SHAPE)" ROSTER="$(ROSTER)" DEVICE="$(or $(DEVICE),$(if $(GPU),cuda))" COMPILER="$(filter-out auto,$(CUDA))" \
	  sh grader/class/gradebook.sh "$(BUILD)" "$(SUBMISSIONS)" "$(OUT)"

#: derive labs/*/reduce.cu from solutions/*/reduce.cu
skeletons: | $(BUILD)/setup.done
	@for d in solutions/lab*/; do l=labs/$$(basename $$d); unifdef -USOLUTION $$d/reduce.cu > $$l/reduce.cu; [ $$? -le 1 ] || exit 1; echo "$$l/reduce.cu"; done
check-skeletons: | $(BUILD)/setup.done
	@for d in solutions/lab*/; do l=labs/$$(basename $$d); unifdef -USOLUTION $$d/reduce.cu | cmp -s - $$l/reduce.cu \
	  || { echo "$$l/reduce.cu is not what $$d/reduce.cu gives: run make skeletons"; exit 1; }; done

#: draw docs/figures/*.svg
figures: $(wildcard docs/figures/*.[ch]) grade | $(BUILD)/setup.done
	$(filter-out -MMD -MP,$(COMPILE)) -o $(BUILD)/figures $(filter %.c,$^) -lm
	$(BUILD)/figures docs/figures
	./grade ladder --sweep --svg docs/figures/sweep.svg
	./grade ladder --svg docs/figures/ladder.svg
#: write docs/ptx.md from the instruction table, docs/gpus.md from the tables of GPUs
docs: grade
	./grade --ptx-doc > docs/ptx.md
	./grade --gpus-doc > docs/gpus.md
check-docs: grade
	@for d in ptx gpus; do ./grade --$$d-doc | cmp -s - docs/$$d.md || { echo "docs/$$d.md is not what grade --$$d-doc gives: run make docs"; exit 1; }; done

# ---- measuring -----------------------------------------------------------------------------------------------------------------------
#: speed of the simulator on the tree kernel and every solution, probes off and on, one core and all
bench-sim: $(BUILD)/bench_sim
	@export PATH="$$PATH:/usr/local/cuda/bin"; nvcc -ptx -arch=compute_75 -lineinfo grader/tests/bench_tree.cu -o $(BUILD)/bench_tree.ptx; \
	for l in $(LABS); do nvcc -ptx -arch=compute_75 -lineinfo -Icommon -DSOLUTION -DREDUCE_OP=0 -DREDUCE_TYPE=3 solutions/$${l}_*/reduce.cu -o $(BUILD)/bench_$$l.ptx; done
	@$(BUILD)/bench_sim tree=$(BUILD)/bench_tree.ptx $(foreach l,$(LABS),$l=$(BUILD)/bench_$l.ptx)
	@echo; if ! pkg-config --exists OpenCL; then echo "to see PoCL and Oclgrind beside it: sudo apt-get install ocl-icd-opencl-dev pocl-opencl-icd oclgrind"; else \
	  $(CC) -O2 -o $(BUILD)/bench_opencl grader/tests/bench_opencl.c -lOpenCL || exit 1; \
	  echo "the tree kernel elsewhere:"; \
	  POCL_DEVICES=basic $(BUILD)/bench_opencl "PoCL, one core, no checks" 20 || true; \
	  $(BUILD)/bench_opencl "PoCL, all cores, no checks" 20 || true; \
	  if command -v oclgrind >/dev/null; then \
	    oclgrind $(BUILD)/bench_opencl "Oclgrind, no checks" 14 || true; \
	    oclgrind --data-races --uninitialized $(BUILD)/bench_opencl "Oclgrind, races and memory" 12 || true; fi; fi
#: the solutions on this machine's GPU beside NVIDIA's cub::DeviceReduce (needs nvcc; ARGUMENTS=--svg or --csv for other forms)
bench-gpu: $(BUILD)/bench_gpu
	@$< $(ARGUMENTS)
# for the chip itself: CUB chooses by it
GPU_ARCH ?= $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .)
$(BUILD)/bench_gpu: grader/tests/bench_gpu.cu $(wildcard solutions/*/reduce.cu) | $(BUILD)/setup.done
	@mkdir -p $(BUILD)/bench; for l in $(LABS); do cp solutions/$${l}_*/reduce.cu $(BUILD)/bench/$$l.cu; done
	$(Q)PATH="$$PATH:/usr/local/cuda/bin" nvcc -O3 -std=c++17 -w -arch=sm_$(or $(GPU_ARCH),75) -default-stream per-thread -Icommon -I$(BUILD)/bench $< -o $@
#: 300 submissions of lab3 graded with -j1 and -j2: time, rate, memory (LAB=lab5, COUNT=300, JOBS="1 2")
bench-class: $(BUILD)/make_class $(BUILD)/grade
	@env -u MAKEFLAGS sh grader/tests/class.sh $(BUILD) bench
#: line coverage of ptx, sim and probes by the tests
coverage:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage run-checks ISAS=baseline EXEC_OPTIMISE=-O1 CFLAGS="-O1 -g --coverage"
	@sh grader/tests/coverage.sh $(BUILD)/coverage
#: fuzz the PTX parser and decoder (needs clang); stop with ctrl-C
fuzz: | $(BUILD)/setup.done
	@mkdir -p $(BUILD)/corpus
	clang -g -O1 -w -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -fwrapv -D_GNU_SOURCE -Igrader \
	  -DSIM_HAVE_baseline -DEXEC_ISA=baseline grader/tests/fuzz_ptx.c grader/base/*.c grader/ptx/*.c grader/sim/*.c -lm -lpthread -o $(BUILD)/fuzz_ptx
	$(BUILD)/fuzz_ptx -max_len=65536 $(FUZZ_OPTIONS) $(BUILD)/corpus grader/tests/ptx/corpus

.PHONY: bench-sandbox
#: what the sandbox costs: processor time of each lab's solution with it and without (ROUNDS=5; COLD=1: compiled each time)
bench-sandbox: $(BUILD)/grade
	@sh grader/tests/sandbox_cost.sh $(BUILD)

# ---- releases ------------------------------------------------------------------------------------------------------------------------
HANDOUT = $(BUILD)/handout/reduction-labs-handout.tar.gz
.PHONY: handout test-handout check-course
#: is the course sound? Every solution, skeleton, link, point and prediction of the labs in labs/course.conf
check-course: grade
	@./grade release check
#: the students' archive, without solutions, for the labs in labs/course.conf
handout: $(BUILD)/grade
	@rm -rf $(BUILD)/handout && mkdir -p $(BUILD)/handout
	@sh grader/release/handout.sh pack $(BUILD)/handout/kit $< $(HANDOUT)
	@echo "$(HANDOUT): $$(tar tzf $(HANDOUT) | wc -l) files, $$(du -h $(HANDOUT) | cut -f1)"
#: unpack the students' archive, look for solutions in it, build it and grade with it, with each compiler there is (minutes)
test-handout: $(BUILD)/grade $(BUILD)/check_handout
	@sh grader/tests/handout.sh $(BUILD)

.PHONY: publish gradescope test-ci
#: the page of a solution: LAB=lab3; source with what each line costs, notes, report; CLASS=FOLDER (of make gradebook): how the class did
publish: $(BUILD)/grade
	@sh grader/release/publish.sh $(abspath $(BUILD)/grade) "$(LAB)" $(BUILD)/publish $(CLASS)
#: Gradescope's autograder of a lab: LAB=lab3; SECRET=FILE with the course's secret
gradescope: handout
	@mkdir -p $(BUILD)/gradescope
	@sh grader/release/gradescope.sh "$(LAB)" $(HANDOUT) $(BUILD)/gradescope/$(LAB).zip $(SECRET)
#: run what docs/ci/ tells course servers to run: Gradescope's zip, the workflows' commands, the image's (minutes)
test-ci: handout
	@sh grader/tests/ci.sh $(BUILD)

# ---- care ----------------------------------------------------------------------------------------------------------------------------
#: style, layers, file lengths
lint:
	@sh grader/tests/lint.sh
#: lay out the C and JavaScript files
format:
	clang-format -i $$(git ls-files 'grader/*.c' 'grader/*.js' 'grader/*.h' 'common/reference.*' 'labs/*.c' 'docs/*.c')
# ---- always --------------------------------------------------------------------------------------------------------------------------
#: remove what was made
clean:
	rm -rf $(BUILD) grade
#: this list
help:
	@awk '/^#: / { text = substr($$0, 4); next } /^[a-z$$][^:=]*:/ && text { split($$0, n, ":"); printf "  make %-12s %s\n", n[1] == "$$(LABS)" ? "labN" : n[1], text } { text = "" }' Makefile

-include $(OBJECTS:.o=.d) $(wildcard $(BUILD)/grader/*.d $(BUILD)/grader/tests/*.d)
