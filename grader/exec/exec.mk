# Builds the CUDA runtime library on top of the simulator, for `./grade exec`. Uses the headers of nvcc's toolkit, if it is
# installed, because the structs depend on the toolkit's version.
EXEC_TOOLKIT := $(patsubst %/bin/nvcc,%/include,$(realpath $(shell command -v nvcc 2>/dev/null)))
EXEC_HEADERS := $(firstword $(wildcard $(addsuffix /cuda_runtime_api.h,$(EXEC_TOOLKIT) /usr/include)))
EXEC_RUNTIME := $(BUILD)/exec/libcudart-sim.so
EXEC_DRIVER := $(BUILD)/exec/libcuda.so
EXEC_LIBRARY := $(if $(EXEC_HEADERS),$(EXEC_RUNTIME) $(EXEC_DRIVER))
EXEC_MAJOR := $(if $(EXEC_HEADERS),$(shell sed -n 's/^.define CUDART_VERSION *\([0-9]*\)[0-9][0-9][0-9] *$$/\1/p' $(EXEC_HEADERS)))
EXEC_SOURCES := $(wildcard grader/exec/cudart_*.c)
EXEC_DRIVER_SOURCES := $(wildcard grader/exec/driver_*.c)
EXEC_SAME := $(shell sed -n 's/^SAME(\(.*\), \(.*\))/-Wl,--defsym=\1=\2/p' grader/exec/calls.def)
# Programs spend little time in these libraries, so they are not optimized.
EXEC_CC = $(CC) -std=gnu11 -O0 -g1 $(WARNINGS) -Wno-unused-parameter -Wno-deprecated-declarations -fPIC -shared -D_GNU_SOURCE \
  -Igrader -isystem $(dir $(EXEC_HEADERS)) -Wl,--version-script=$(basename $@).versions -Wl,-z,defs
all: $(EXEC_LIBRARY)
EXEC_SHARED := $(addprefix grader/exec/,cudart.h cudart_graph.h wire.h calls.def errors.def limits.def exec.mk)
$(EXEC_RUNTIME): $(EXEC_SOURCES) $(EXEC_SHARED)
	@mkdir -p $(@D); echo "  cc $@"
	@printf 'libcudart.so.$(EXEC_MAJOR) { global: cuda*; __cuda*; local: *; };\n' > $(basename $@).versions
	$(Q)$(EXEC_CC) -Wl,-soname,libcudart.so.$(EXEC_MAJOR) $(EXEC_SAME) -o $@ $(EXEC_SOURCES) -lpthread
# The driver library, which calls the runtime library.
$(EXEC_DRIVER): $(EXEC_DRIVER_SOURCES) $(EXEC_RUNTIME) grader/exec/driver.h grader/exec/driver.def grader/exec/errors.def grader/sim/tile.h
	@echo "  cc $@"
	@printf '{ global: cu*; local: *; };\n' > $(basename $@).versions
	$(Q)$(EXEC_CC) -Wl,-soname,libcuda.so.1 -o $@ $(EXEC_DRIVER_SOURCES) $(EXEC_RUNTIME)
ifneq ($(wildcard grader/tests/check_exec.c),)
$(BUILD)/check_exec $(BUILD)/check_docs: | $(EXEC_LIBRARY)
#: run every program of grader/tests/exec/ (two minutes; PROGRAM=name: only that one); make test runs four ## nvcc:nvidia-cuda-toolkit
test-exec: $(BUILD)/check_exec $(BUILD)/grade
	@EVERY=1 $<
endif
#: compile a whole CUDA program and run it on the simulator: FILE=prog.cu ARGUMENTS="..." ## nvcc:nvidia-cuda-toolkit
exec: grade $(EXEC_LIBRARY)
	@./grade exec $(FILE) $(ARGUMENTS)
