/* Converts schedules to and from text. sim.h describes the format. */
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t field;
    uint32_t least, most;
} parts[] = {{"block", offsetof(struct sim_schedule, block), 0, INT32_MAX},
             {"warp", offsetof(struct sim_schedule, warp), 0, SIM_MAX_WARPS - 1},
             {"lane", offsetof(struct sim_schedule, lane), 0, SIM_WARP - 1},
             {"turn", offsetof(struct sim_schedule, turn), 1, INT32_MAX},
             {"stale", offsetof(struct sim_schedule, stale), 1, INT32_MAX}};
enum { PARTS = sizeof parts / sizeof *parts };
static const struct sim_schedule rising = {true, false, SIM_NONE, SIM_NONE, SIM_NONE, 0, 0};

static uint32_t *field_of(struct sim_schedule *s, unsigned part) {
    return (uint32_t *)(void *)((char *)s + parts[part].field);
}
/* Parses one part, such as "warp=1", that ends at `end`. */
static bool parse_part(struct sim_schedule *s, const char *text, const char *end) {
    if (end - text == 7 && !strncmp(text, "falling", 7)) return s->falling = true;
    for (unsigned k = 0; k < PARTS; k++) {
        const size_t n = strlen(parts[k].name);
        if (strncmp(text, parts[k].name, n) || text[n] != '=') continue;
        uint64_t value = 0;
        const char *digit = text + n + 1;
        if (digit == end || end - digit > 10) return false;
        for (; digit < end && *digit >= '0' && *digit <= '9'; digit++) value = 10 * value + (uint64_t)(*digit - '0');
        if (digit != end || value < parts[k].least || value > parts[k].most) return false;
        *field_of(s, k) = (uint32_t)value;
        return true;
    }
    return false;
}
bool sim_schedule_parse(struct sim_schedule *schedule, const char *text) {
    struct sim_schedule s = rising;
    if (!text || !*text) return *schedule = (struct sim_schedule){0}, true;
    for (const char *next = strcmp(text, "rising") ? text : NULL; next;) {
        const char *end = strchrnul(next, ',');
        if (!parse_part(&s, next, end)) return false;
        next = *end ? end + 1 : NULL;
    }
    *schedule = s;
    return true;
}
char *sim_schedule_print(const struct sim_schedule *schedule, char *out, size_t size) {
    struct sim_schedule s = *schedule, none = rising;
    size_t used = 0;
    used = (size_t)snprintf(out, size, "%s", s.falling ? "falling" : "rising");
    if (!s.falling) used = 0;
    for (unsigned k = 0; k < PARTS; k++)
        if (*field_of(&s, k) != *field_of(&none, k) && used < size)
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s=%u", used ? "," : "", parts[k].name, *field_of(&s, k));
    return out;
}
