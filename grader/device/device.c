/* Defines the table of devices. */
#include "device/device.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROBE_SECONDS = 30 };

#define DEVICE(name, what) extern const struct device device_##name;
#include "device/devices.def"
static const struct device *const rows[] = {
#define DEVICE(name, what) &device_##name,
#include "device/devices.def"
};
const char device_help[] = "Where kernels run: auto"
#define DEVICE(name, what) ", " #name " (" what ")"
#include "device/devices.def"
    ;
const char device_names[] = "auto"
#define DEVICE(name, what) ", " #name
#include "device/devices.def"
    ;

const struct device *device_find(const char *name) {
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(rows[k]->name, name)) return rows[k];
    return NULL;
}

enum device_status device_probe(const struct device *d, unsigned *arch, struct device_error *e) {
    struct {
        enum device_status status;
        unsigned arch;
        struct device_error error;
    } answer;
    int ends[2], status;
    snprintf(e->message, sizeof e->message, "device %s did not answer", d->name);
    if (pipe(ends)) return DEVICE_SETUP;
    const pid_t pid = fork();
    if (pid == 0) {
        memset(&answer, 0, sizeof answer);
        alarm(PROBE_SECONDS); /* ends this process if the driver hangs */
        answer.status = d->present(&answer.error);
        if (answer.status == DEVICE_OK && d->arch) answer.arch = d->arch();
        _exit(write(ends[1], &answer, sizeof answer) != sizeof answer);
    }
    close(ends[1]);
    /* A write of less than PIPE_BUF bytes is atomic. */
    const bool answered = pid > 0 && read(ends[0], &answer, sizeof answer) == sizeof answer;
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (!answered) return DEVICE_SETUP;
    *e = answer.error, *arch = answer.arch;
    return answer.status;
}
