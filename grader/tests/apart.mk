#: make the extensions described in the documents, in copies that are built (a minute); make test only adds one lab
test-additions: $(patsubst %,$(BUILD)/%,$(call with,apart)) $(BUILD)/grade
	@sh grader/tests/run.sh $(BUILD) $(call with,apart)
