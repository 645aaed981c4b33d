/* See deadline.h. */
#include "course/deadline.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char form[] = "%Y-%m-%d %H:%M";
/* Returns whether the local time at `at` is `text`. */
static bool shows(time_t at, const char *text) {
    struct tm t;
    char shown[24];
    return localtime_r(&at, &t) && strftime(shown, sizeof shown, form, &t) && !strcmp(shown, text);
}
/* Implements deadline_read() and sets *real to whether clocks show the time at all. */
static bool read_local(const char *text, time_t *out, bool *real) {
    struct tm t = {0};
    char back[24];
    const char *end = strptime(text, form, &t);
    if (!end || *end || strlen(text) != sizeof "2027-02-19 18:00" - 1)
        return false; /* rejects a year of two digits, such as 27, which is a mistake */
    struct tm noon = t;
    noon.tm_hour = 12, noon.tm_isdst = -1;
    if (mktime(&noon) == (time_t)-1 || noon.tm_mday != t.tm_mday) return false;
    if (!strftime(back, sizeof back, form, &t) || strcmp(back, text) != 0) return false;
    time_t latest = -1, shown = -1;
    for (int summer = 0; summer < 2; summer++) {
        struct tm one = t;
        one.tm_isdst = summer;
        const time_t at = mktime(&one);
        if (at > latest) latest = at;
        if (at > shown && shows(at, text)) shown = at;
    }
    *real = shown != -1, *out = *real ? shown : latest;
    return *out != -1;
}
bool deadline_read(const char *text, time_t *out) {
    bool real;
    return read_local(text, out, &real);
}
bool deadline_is_skipped(const char *text) {
    time_t at;
    bool real;
    return read_local(text, &at, &real) && !real;
}
bool deadline_is_past(const char *text) {
    time_t at;
    return deadline_read(text, &at) && time(NULL) > at;
}
bool deadline_read_penalty(const char *text, struct deadline_rules *out) {
    static const struct {
        const char *word;
        unsigned seconds;
    } units[] = {{"/hour", DEADLINE_HOUR}, {"/day", DEADLINE_DAY}};
    const size_t n = strspn(text, "0123456789.");
    char *end;
    const double points = strtod(text, &end);
    if (!n || end != text + n || !(points >= 0 && points <= 100)) return false;
    for (unsigned k = 0; k < sizeof units / sizeof *units; k++)
        if (!strcmp(end, units[k].word)) return out->penalty = points, out->unit = units[k].seconds, true;
    return false;
}

char *deadline_rules_text(const struct deadline_rules *rules, char *out, size_t size) {
    const char *unit = rules->unit == DEADLINE_HOUR ? "hour" : "day";
    char grace[40] = "", cap[40] = "", slip[60] = "";
    out[0] = 0;
    if (!(rules->penalty > 0)) return out;
    if (rules->grace) snprintf(grace, sizeof grace, " by more than %u min", rules->grace);
    if (rules->penalty_cap < 100) snprintf(cap, sizeof cap, ", at most %u", rules->penalty_cap);
    if (rules->slip_days)
        snprintf(slip, sizeof slip, "; %u slip day%s for all labs", rules->slip_days, rules->slip_days == 1 ? "" : "s");
    snprintf(out, size, "if late%s, %g point%s off per %s or part of %s %s%s%s", grace, rules->penalty,
             rules->penalty == 1 ? "" : "s", unit, *unit == 'h' ? "an" : "a", unit, cap, slip);
    return out;
}
/* Writes a duration in its two largest units, such as "2 d 3 h" or "16 h 2 min". */
static int put_length(char *out, size_t size, long seconds) {
    const long minutes = (seconds + 59) / 60, hours = minutes / 60, days = hours / 24;
    if (days) return snprintf(out, size, "%ld d %ld h", days, hours % 24);
    return hours ? snprintf(out, size, "%ld h %ld min", hours, minutes % 60) : snprintf(out, size, "%ld min", minutes);
}
static long begun(long seconds, unsigned unit) { return seconds <= 0 ? 0 : (seconds + (long)unit - 1) / (long)unit; }
/* Returns the time `days` days later at the same time of day. A day may have 23 or 25 hours when clocks change. */
static time_t days_after(time_t from, long days) {
    struct tm t;
    if (!localtime_r(&from, &t)) return from + days * DEADLINE_DAY;
    t.tm_mday += (int)days, t.tm_isdst = -1;
    const time_t at = mktime(&t);
    return at == (time_t)-1 ? from + days * DEADLINE_DAY : at;
}
static long days_begun(time_t from, time_t at) {
    long days = begun((long)(at - from), DEADLINE_DAY);
    while (days && days_after(from, days - 1) >= at) days--;
    while (days_after(from, days) < at) days++;
    return days;
}
/* Returns the penalty of a submission whose deadline is moved by `days`. */
static unsigned penalty_after(const struct deadline_rules *rules, time_t deadline, unsigned days, time_t at) {
    const time_t from = days_after(deadline, days);
    const long units = rules->unit == DEADLINE_DAY ? days_begun(from, at) : begun(at - from, DEADLINE_HOUR);
    return (unsigned)lround(fmin(rules->penalty * (double)units, rules->penalty_cap));
}
static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }
/* Returns how many of the slip days to use: the fewest that save as many points as all of them. */
static unsigned slip_days_used(const struct deadline_rules *rules, const struct handed_in *h, time_t at,
                               unsigned left) {
    const long late = days_begun(h->deadline, at);
    unsigned days = rules->penalty <= 0 ? 0 : late < (long)left ? (unsigned)late : left;
    const unsigned lost = smaller(penalty_after(rules, h->deadline, days, at), h->points);
    while (days && smaller(penalty_after(rules, h->deadline, days - 1, at), h->points) == lost) days--;
    return days;
}
struct deadline_verdict deadline_judge(const struct deadline_rules *rules, const struct handed_in *h,
                                       unsigned slip_days_left) {
    struct deadline_verdict v = {.late = false};
    const long by = h->at ? (long)(h->at - h->deadline) : 0;
    const bool unknown = h->marked && by <= 0;
    if (!unknown && by <= 60 * (long)rules->grace) return v;
    v.late = true;
    const time_t at = unknown ? h->deadline + 1 : h->at; /* a submission of unknown time is late by one unit */
    v.slip_days = slip_days_used(rules, h, at, slip_days_left);
    v.penalty = penalty_after(rules, h->deadline, v.slip_days, at);
    int n =
        unknown ? snprintf(v.text, sizeof v.text, "late by an unknown time") : put_length(v.text, sizeof v.text, by);
    if (!unknown) n += snprintf(v.text + n, sizeof v.text - (size_t)n, " late");
    if (v.slip_days)
        n += snprintf(v.text + n, sizeof v.text - (size_t)n, ", %u slip day%s", v.slip_days,
                      v.slip_days == 1 ? "" : "s");
    if (rules->penalty > 0)
        snprintf(v.text + n, sizeof v.text - (size_t)n, ", %u point%s off", v.penalty, v.penalty == 1 ? "" : "s");
    return v;
}
