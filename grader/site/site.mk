# ---- the course's site ---------------------------------------------------------------------------------------------------------------
#: compile the kernels of the site's explorables: grader/site/explorables/*.cu to .ptx ## nvcc:nvidia-cuda-toolkit
explorables: ; @sh grader/site/kernels.sh compile
#: compute modeled times of the ladder's rows from 2^10 to 2^26 elements, for the site (two minutes): grader/site/explorables/ladder.json
ladder-times: $(BUILD)/grade; @sh grader/site/ladder.sh make $<
#: draw the static figures of the explorables, docs/figures/*.svg, in a browser ## chromium:chromium chromedriver:chromium-driver
stills: $(BUILD)/check_site $(BUILD)/grade
	@CK_RUN_CASE=explorables STILLS=write $<
#: write the course's site as a folder of static pages, in OUT=FOLDER (default build/site) ## pandoc:pandoc
site:
	@sh grader/site/site.sh pages $(SITE_OUT) && sh grader/site/site.sh slides $(SITE_OUT)
	@echo "$(SITE_OUT)/index.html"
#: write slides of each lab, from its handout, in OUT=FOLDER (default build/site) ## pandoc:pandoc
slides: ; @sh grader/site/site.sh slides $(SITE_OUT)
#: push the site to a branch from which a server publishes pages: REMOTE=git@example.org:course/site.git BRANCH=gh-pages ## pandoc:pandoc REMOTE=site.git
publish-site: site
	@sh grader/site/site.sh publish $(SITE_OUT) "$(REMOTE)" $(or $(BRANCH),gh-pages)
#: test every page of the site in a browser, every value of every explorable, and whether it reveals solutions (minutes) ## pandoc:pandoc chromium:chromium
test-site: $(BUILD)/check_site $(BUILD)/check_giveaway $(BUILD)/grade
	@rm -rf $(BUILD)/site && $(MAKE) site OUT=$(BUILD)/site
	@sh grader/site/ladder.sh check $(BUILD)/grade && EVERY=1 SITE=$(abspath $(BUILD))/site $< && SITE=1 $(BUILD)/check_giveaway
#: run axe-core on the pages of the site, of reports and of a class, light and dark (ten minutes): AXE=axe.min.js ## pandoc:pandoc chromium:chromium
test-axe: $(BUILD)/pages $(BUILD)/grade
	@sh grader/tests/pages.sh axe $(abspath $^) $(abspath $(BUILD))/axe "$(AXE)"
#: measure the sizes of pages, and how long they take to open, to follow a slider, and to show a changed launch ## chromium:chromium
bench-pages: $(BUILD)/pages $(BUILD)/grade
	@sh grader/tests/pages.sh speed $(abspath $^) $(abspath $(BUILD))/bench-pages
SITE_OUT = $(or $(OUT),$(BUILD)/site)
