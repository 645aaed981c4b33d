#: create and build the documented extensions, each in a copy of the kit (a minute); make test adds only one lab
test-additions: $(patsubst %,$(BUILD)/%,$(call with,apart)) $(BUILD)/grade
	@sh grader/tests/run.sh $(BUILD) $(call with,apart)
