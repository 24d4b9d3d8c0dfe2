#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H
// Turns on the wide-character API. This has the same effect as _XOPEN_SOURCE_EXTENDED, without a
// -D.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#include <wctype.h>

// Swift can import neither ncurses' mutable globals nor its function-like macros.

static inline WINDOW *_Nullable cncurses_screen(void) { return stdscr; }

// The pad through which keys are read. Since ncurses 6.5, WINDOW is an opaque type, which Swift
// imports as a different type of pointer than a struct. Swift therefore sees only `void *`.

/// Creates a pad of one cell; returns NULL if memory runs out.
static inline void *_Nullable cncurses_make_pad(void) { return newpad(1, 1); }
/// Makes the pad report function keys, and makes reading from it return immediately.
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

/// Fills a cell with a character and its combining marks. Returns false if ncurses rejects them. In
/// that case, `cell` is a plain blank, because setcchar leaves it uninitialized, which would appear
/// as garbage with random attributes. ncurses accepts the combining marks that fit into a cell, up
/// to the first mark with a width.
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

/// Whether the C library knows a character, and therefore its width, in the current locale.
static inline bool cncurses_knows(wchar_t character) { return iswprint((wint_t)character) != 0; }

/// Returns a string capability of the current terminal, or NULL if the terminal lacks it.
static inline const char *_Nullable cncurses_capability(const char *_Nonnull name) {
    const char *text = tigetstr(name);
    return text == (const char *)-1 ? (const char *)0 : text;
}

/// Makes `name` the current terminfo entry without starting a screen.
static inline bool cncurses_load_entry(const char *_Nonnull name, int descriptor) {
    int status = 0;
    return setupterm(name, descriptor, &status) == OK;
}

/// Frees the entry that `cncurses_load_entry` loaded.
static inline void cncurses_unload_entry(void) {
    if (cur_term) {
        del_curterm(cur_term);
    }
}
#endif
