// JSON parsing with libjansson.

#ifndef CFL_JSON_H
#define CFL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// A JSON value with its content.
typedef struct cfl_json cfl_json;

typedef enum __attribute__((enum_extensibility(closed))) {
    cfl_json_kind_object = 0,
    cfl_json_kind_array,
    cfl_json_kind_string,
    /// A number without a fraction; `cfl_json_integer` returns it.
    cfl_json_kind_integer,
    cfl_json_kind_real,
    cfl_json_kind_true,
    cfl_json_kind_false,
    cfl_json_kind_null,
} cfl_json_kind;

/// The reason why bytes are not valid JSON.
typedef enum __attribute__((enum_extensibility(closed))) {
    cfl_json_fault_syntax = 0,
    cfl_json_fault_ends_early,
    cfl_json_fault_more_follows,
    cfl_json_fault_text,
    cfl_json_fault_depth,
    cfl_json_fault_number,
    cfl_json_fault_zero_in_key,
    cfl_json_fault_memory,
} cfl_json_fault;

/// Loads libjansson on the first call; returns false if libjansson is not installed.
bool cfl_json_load(void);

/// Parses `count` bytes of JSON. If they are invalid, stores the reason in `fault` and the number
/// of bytes that were read before it was found in `position`, and returns NULL.
///
/// Call it only after `cfl_json_load`. Release the result with `cfl_json_release`.
cfl_json *_Nullable cfl_json_parse(
    const uint8_t *bytes, size_t count, cfl_json_fault *fault, size_t *position);
void cfl_json_release(cfl_json *value);

// The content of a value is valid as long as the value.

cfl_json_kind cfl_json_kind_of(const cfl_json *value);
int64_t cfl_json_integer(const cfl_json *value);
/// Returns the UTF-8 text of a string, which may contain NUL bytes; stores the length of the text
/// in bytes in `count`.
const char *cfl_json_string(const cfl_json *value, size_t *count);
size_t cfl_json_array_count(const cfl_json *value);
const cfl_json *cfl_json_array_value(const cfl_json *value, size_t index);

typedef struct cfl_json_member cfl_json_member;

/// Returns the first member of an object, in the order of the JSON text; NULL if the object is
/// empty.
cfl_json_member *_Nullable cfl_json_first_member(const cfl_json *object);
cfl_json_member *_Nullable cfl_json_next_member(const cfl_json *object, cfl_json_member *member);
const char *cfl_json_member_name(cfl_json_member *member, size_t *count);
const cfl_json *cfl_json_member_value(cfl_json_member *member);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
