# The options of the tests with sanitizers. Only code in which these tests spend time is optimized: -O0 compiles the rest in two thirds
# of the time of -Og. In cold code, a function checks each access, because inline checks take longer to compile. AddressSanitizer finds the
# accesses to memory that the checks `null` and `pointer-overflow` are for. The other build gives the compiler's warnings.
SANITIZED = BUILD=$(BUILD)/asan WARNINGS=-w CHECKS="$(filter-out $(call with,plain),$(CHECKS))" ISAS=baseline EXEC_OPTIMIZE=-O0 \
  COLD_CFLAGS="-fno-sanitize=alignment --param asan-instrumentation-with-call-threshold=0" HOT_CFLAGS=-Og GRADE_CACHE=$(GRADE_CACHE) \
  CFLAGS="-O0 -g1 -fsanitize=address,undefined -fno-sanitize=null,pointer-overflow -fno-sanitize-recover=undefined \
  -fno-omit-frame-pointer"
