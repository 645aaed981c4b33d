#: create and build the documented extensions in copies of the kit (a minute); make test adds only one lab
test-additions: $(patsubst %,$(BUILD)/%,$(call with,apart)) $(BUILD)/grade
	@sh grader/tests/run.sh $(BUILD) $(call with,apart)
SAMPLED = check_alike check_docs check_grade check_kernels check_ladder check_quotes check_terms check_witness
#: run, on complete tables, the tests whose tables make test samples and that have no separate target (an hour)
test-whole: $(SAMPLED:%=$(BUILD)/%) $(BUILD)/grade
	@EVERY=1 sh grader/tests/run.sh $(BUILD) $(SAMPLED)
