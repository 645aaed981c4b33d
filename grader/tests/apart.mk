#: create and build the documented extensions in copies of the kit (a minute); make test adds only one lab
test-additions: $(patsubst %,$(BUILD)/%,$(call with,apart)) $(BUILD)/grade
	@sh grader/tests/run.sh $(BUILD) $(call with,apart)
# tests of which make test runs a part, without those that have a target
SAMPLED = check_docs check_quotes check_terms $(filter-out check_exec check_giveaway check_hostile, \
  $(patsubst grader/tests/%.c,%,$(shell grep -l -e in_turn -e add_rows grader/tests/check_*.c)))
#: run, on complete tables, the tests whose tables make test samples and that have no separate target (an hour)
test-whole: $(SAMPLED:%=$(BUILD)/%) $(BUILD)/grade
	@EVERY=1 sh grader/tests/run.sh $(BUILD) $(SAMPLED)
