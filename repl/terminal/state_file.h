/* Files that the program keeps for itself. */
#ifndef GRADUS_STATE_FILE_H
#define GRADUS_STATE_FILE_H

/* $XDG_STATE_HOME/gradus/NAME, by default ~/.local/state/gradus/NAME; the caller frees it.  NULL:
 * there is no such folder. */
char *state_file(const char *name);
/* Makes the folders on the way to a file; a failure shows when the file is written. */
void make_folders_of(char *path);

#endif
