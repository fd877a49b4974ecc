/* Holds or fails the renaming of what was written, from outside of the solver:
   LD_PRELOAD this. A path that ends with HOLD_RENAME is held until the file
   HOLD_UNTIL is there; one that ends with FAIL_RENAME fails as on a full disk.
   With LOG_CALLS, a file, it tells there what is synchronised with the disk,
   renamed and removed, in this order. No memory for a copy of the populations:
   with FAIL_ALIGNED, large pages are not there for more than so many bytes.
*/

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell(const char* call, const char* what)
{
    const char* file = getenv("LOG_CALLS");
    FILE* out = file ? fopen(file, "a") : NULL;

    if (out)
    {
        fprintf(out, "%s %s\n", call, what);
        fclose(out);
    }
}

int fsync(int fd)
{
    int (*next)(int);
    char link[64], path[PATH_MAX];

    *(void**)&next = dlsym(RTLD_NEXT, "fsync");

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof(path) - 1);
    path[n < 0 ? 0 : n] = 0;
    tell("sync", path);

    return next(fd);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    void* (*next)(size_t, size_t);
    const char* limit = getenv("FAIL_ALIGNED");

    *(void**)&next = dlsym(RTLD_NEXT, "aligned_alloc");

    return limit && alignment == 1 << 21 && size > strtoull(limit, NULL, 10)
      ? NULL
      : next(alignment, size);
}

static int endsWith(const char* path, const char* variable)
{
    const char* end = getenv(variable);
    const size_t n = strlen(path);

    return end && n >= strlen(end) && !strcmp(path + n - strlen(end), end);
}

int rename(const char* from, const char* to)
{
    int (*next)(const char*, const char*);

    *(void**)&next = dlsym(RTLD_NEXT, "rename");

    if (endsWith(from, "FAIL_RENAME"))
    {
        errno = ENOSPC;
        return -1;
    }

    while
    (
        endsWith(from, "HOLD_RENAME")
     && access(getenv("HOLD_UNTIL"), F_OK) != 0
    )
    {
        usleep(10000);
    }

    tell("rename", to);

    return next(from, to);
}
