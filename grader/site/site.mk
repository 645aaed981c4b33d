# ---- the course's site ---------------------------------------------------------------------------------------------------------------
#: compile the kernels of the site's explorables: grader/site/explorables/*.cu to .ptx ## nvcc:nvidia-cuda-toolkit
explorables: ; @sh grader/site/kernels.sh compile
#: draw the still pictures of explorables, docs/figures/*.svg, in a browser ## chromium:chromium chromedriver:chromium-driver
stills: $(BUILD)/check_site $(BUILD)/grade
	@CK_RUN_CASE=explorables STILLS=write $<
