/* Files that the program keeps for itself.  See state_file.h. */
#include "repl/terminal/state_file.h"

#include "base/base.h"

#include <sys/stat.h>

char *state_file(const char *name)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    Text path = {0};
    if (state && *state == '/')
        text_printf(&path, "%s/gradus/%s", state, name);
    else if (home && *home)
        text_printf(&path, "%s/.local/state/gradus/%s", home, name);
    else
        return NULL;
    return text_take(&path);
}

void make_folders_of(char *path)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}
