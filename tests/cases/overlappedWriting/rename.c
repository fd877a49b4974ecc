/* Holds or fails the renaming of what was written, from outside of the solver:
   LD_PRELOAD this. A path that ends with HOLD_RENAME is held until the file
   HOLD_UNTIL is there; one that ends with FAIL_RENAME fails as on a full disk.
*/

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

    return next(from, to);
}
