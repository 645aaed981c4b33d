/* See work.h. */
#include "judge/work.h"
#include "judge/observed.h"
#include <math.h>

static json_t *work_by(const struct judge *j, const struct lab_kernel *k) {
    enum { FEW = 1 + OBSERVED_DRAWN };
    struct grade_case launch[OBSERVED_MAX];
    double read = 0, wrote = 0;
    const unsigned all = observed_launches(j, k, launch);
    bool stopped = false, ran = false; /* further launches follow if blocks are too large for the kernel */
    for (unsigned count = 0; count < all && (count < FEW || !ran) && !stopped; count++) {
        struct outcome o;
        case_run(j, &j->student, &launch[count], MEASURE_COUNTS | MEASURE_WORK, &o);
        const struct work *w = work_of(&o.measurement);
        if (w->input_words) read = fmax(read, (double)w->read_words / (double)w->input_words);
        const bool ended = o.kind == OUTCOME_RIGHT || o.kind == OUTCOME_WRONG;
        wrote += ended && !o.unwritten;
        ran |= ended || w->read_words;
        stopped = o.exhausted; /* a kernel that may not terminate is not launched again */
        outcome_free(&o);
    }
    return json_pack("{s:f, s:f}", "read", read, "wrote", wrote / FEW);
}
json_t *judge_work(struct judge *j, const void *context) {
    json_t *all = json_object();
    (void)context;
    for (unsigned k = 0; k < j->lab->kernel_count; k++)
        if (!j->lab->kernels[k].helper)
            json_object_set_new(all, case_label(&j->lab->kernels[k]), work_by(j, &j->lab->kernels[k]));
    return all;
}
