# Decides what to grade. GNU Make finds the records that are out of date, and makes them in parallel. `make gradebook` in the kit's folder
# calls this, in the class's folder OUT, with KIT and GRADE as absolute paths.
#
# A record depends on the copy of its submission, on the settings, on the grader and on the lab's reference. A grade whose
# setup fails leaves no record, so the next run tries again.
MAKEFLAGS += -rR
# the records given on the command line, else all
UNITS := $(file <units)
LABS := $(sort $(notdir $(UNITS)))
$(foreach l,$(LABS),$(eval REFERENCE_$l := $(wildcard $(KIT)/solutions/$l_*/reduce.cu)))

.PHONY: records
records: $(UNITS:%=records/%.json)
.SECONDEXPANSION:
records/%.json: submissions/%/reduce.cu settings.json $(GRADE) $$(REFERENCE_$$(notdir $$*))
	@$(GRADE) class grade . $*
