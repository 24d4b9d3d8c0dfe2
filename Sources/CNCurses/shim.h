#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H
// Turns on the wide-character API; the same effect as _XOPEN_SOURCE_EXTENDED, without a -D.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#include <wctype.h>

// Swift can import neither ncurses' mutable globals nor its function-like macros.

static inline WINDOW *_Nullable cncurses_screen(void) { return stdscr; }

// The pad that keys are read through. WINDOW is an opaque type since ncurses 6.5, which Swift imports
// as another type of pointer than a struct, so Swift sees `void *` only.

/// Makes a pad of one cell; null without memory.
static inline void *_Nullable cncurses_make_pad(void) { return newpad(1, 1); }
/// Has the pad report function keys, and reading from it return at once.
static inline void cncurses_prepare_pad(void *_Nonnull pad) {
    keypad((WINDOW *)pad, true);
    nodelay((WINDOW *)pad, true);
}
static inline void cncurses_delete_pad(void *_Nonnull pad) { delwin((WINDOW *)pad); }
/// Reads a key; returns OK, KEY_CODE_YES or ERR.
static inline int cncurses_read_key(void *_Nonnull pad, wint_t *_Nonnull key) {
    return wget_wch((WINDOW *)pad, key);
}
static inline int cncurses_color_count(void) { return COLORS; }
static inline int cncurses_pair_count(void) { return COLOR_PAIRS; }

static const attr_t cncurses_bold = A_BOLD;
static const attr_t cncurses_dim = A_DIM;
static const attr_t cncurses_reverse = A_REVERSE;
static const attr_t cncurses_underline = A_UNDERLINE;

/// Fills one cell with a character and the marks on it; false if ncurses refuses, and then `cell`
/// holds a plain blank (setcchar leaves it uninitialized, which shows as garbage with random
/// attributes). It accepts the combining marks that fit into a cell, up to the first one with a width.
static inline bool cncurses_make_cell(cchar_t *_Nonnull cell, wchar_t character,
                                      const wchar_t *_Nonnull marks, int mark_count,
                                      attr_t attributes, int pair) {
    wchar_t text[CCHARW_MAX + 1] = {character, 0};
    for (int i = 0; i < mark_count && i + 1 < CCHARW_MAX; i++) {
        text[i + 1] = marks[i];
    }
    if (setcchar(cell, text, attributes, 0, &pair) == OK) {
        return true;
    }
    int none = 0;
    wchar_t blank[2] = {L' ', 0};
    setcchar(cell, blank, 0, 0, &none);
    return false;
}

/// Whether the C library knows a character in the present locale, and so its width.
static inline bool cncurses_knows(wchar_t character) { return iswprint((wint_t)character) != 0; }

/// A string capability of the current terminal, or null.
static inline const char *_Nullable cncurses_capability(const char *_Nonnull name) {
    const char *text = tigetstr(name);
    return text == (const char *)-1 ? (const char *)0 : text;
}

/// Makes `name` the current terminfo entry without starting a screen.
static inline bool cncurses_load_entry(const char *_Nonnull name, int descriptor) {
    int status = 0;
    return setupterm(name, descriptor, &status) == OK;
}

/// Frees what `cncurses_load_entry` loaded.
static inline void cncurses_unload_entry(void) {
    if (cur_term) {
        del_curterm(cur_term);
    }
}
#endif
