/* The table of check kinds that labs share. See lab.h. */
#include "judge/judge.h"

const struct check_kind check_one_block[1] = {{judge_results, .cases = CASES_ONE_BLOCK}},
                        check_many_blocks[1] = {{judge_results, .cases = CASES_MANY_BLOCKS}},
                        check_any_n[1] = {{judge_results, .cases = CASES_ANY_N}},
                        check_unaligned[1] = {{judge_results, .cases = CASES_UNALIGNED}},
                        check_rounding[1] = {{judge_results, .cases = CASES_ROUNDED}},
                        check_findings[1] = {{judge_findings, .cases = CASES_MEASURED}},
                        check_steps[1] = {{judge_steps, .observes = true}}, check_tuning[1] = {{judge_tuning}},
                        check_technique[1] = {{judge_technique, .observes = true}},
                        check_memory[1] = {{judge_memory, .observes = true}},
                        check_predictions[1] = {{judge_predictions}},
                        check_waiting[1] = {{judge_waiting, .ratio = true}},
                        check_speed[1] = {{judge_speed, .ratio = true}};
