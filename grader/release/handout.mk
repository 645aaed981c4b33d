# ---- a handout's own test ------------------------------------------------------------------------------------------------------------
#: check that this kit works on your machine and that all your files compile (the kit's own tests are not in a handout)
test: grade
	@for l in $(LABS); do ./grade $$l --compile-only || exit; done
	@echo "all files compile; the kit's own tests are not part of a handout"
