# Grades the submissions whose records are out of date, in parallel. `make gradebook` runs this makefile in the class's folder OUT, and
# passes KIT and GRADE as paths without spaces: absolute, or through the link OUT/kit.
#
# A record depends on the copy of its submission, the settings, the grader and the lab's reference. If the setup
# fails, no record is written, and the next run tries again.
MAKEFLAGS += -rR
# all units, unless the command line sets UNITS
UNITS := $(file <units)
LABS := $(sort $(notdir $(UNITS)))
$(foreach l,$(LABS),$(eval REFERENCE_$l := $(wildcard $(KIT)/solutions/$l_*/reduce.cu)))

# Number of cores per submission. Make grades as many submissions in parallel as -j allows
ALL_CORES := $(shell nproc)
JOBS = $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),1)

.PHONY: records
records: $(UNITS:%=records/%.json)
.SECONDEXPANSION:
records/%.json: submissions/%/reduce.cu settings.json $(GRADE) $$(REFERENCE_$$(notdir $$*))
	@GRADE_CORES=$$(($(ALL_CORES) > $(JOBS) ? $(ALL_CORES) / $(JOBS) : 1)) $(GRADE) class grade . $*
