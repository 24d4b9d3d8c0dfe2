#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H
// Turns on the wide-character API; the same effect as _XOPEN_SOURCE_EXTENDED, without a -D.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#endif
