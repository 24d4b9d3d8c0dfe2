#include "cfl_json.h"

#include <jansson.h>
#include <pthread.h>

#include "libraries.h"

#define FUNCTIONS(NAME)                                                                        \
    NAME(json_loadb) NAME(json_delete) NAME(json_integer_value) NAME(json_string_value)        \
    NAME(json_string_length) NAME(json_array_size) NAME(json_array_get) NAME(json_object_iter) \
    NAME(json_object_iter_next) NAME(json_object_iter_key) NAME(json_object_iter_key_len)      \
    NAME(json_object_iter_value)

static struct { FUNCTIONS(CFL_DECLARE) } functions;
static bool is_loaded;

static void load(void) {
    void *library = dlopen("libjansson.so.4", RTLD_NOW | RTLD_LOCAL);
    is_loaded = library != NULL FUNCTIONS(CFL_FIND);
}

bool cfl_json_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

static cfl_json_fault fault_of(const json_error_t *error) {
    switch (json_error_code(error)) {
    case json_error_premature_end_of_input: return cfl_json_fault_ends_early;
    case json_error_end_of_input_expected: return cfl_json_fault_more_follows;
    case json_error_invalid_utf8:
    case json_error_null_character: return cfl_json_fault_text;
    case json_error_stack_overflow: return cfl_json_fault_depth;
    case json_error_numeric_overflow: return cfl_json_fault_number;
    case json_error_null_byte_in_key: return cfl_json_fault_zero_in_key;
    case json_error_out_of_memory: return cfl_json_fault_memory;
    default: return cfl_json_fault_syntax;
    }
}

cfl_json *cfl_json_parse(
    const uint8_t *bytes, size_t count, cfl_json_fault *fault, size_t *position) {
    json_error_t error;
    json_t *value = functions.json_loadb(
        (const char *)bytes, count, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (value == NULL) {
        *fault = fault_of(&error);
        *position = error.position < 0 ? 0 : (size_t)error.position;
    }
    return (cfl_json *)value;
}

// json_decref is inline and calls json_delete. There is no other reference to the value.
void cfl_json_release(cfl_json *value) { functions.json_delete((json_t *)value); }

cfl_json_kind cfl_json_kind_of(const cfl_json *value) {
    return (cfl_json_kind)json_typeof((const json_t *)value);
}

int64_t cfl_json_integer(const cfl_json *value) {
    return functions.json_integer_value((const json_t *)value);
}

const char *cfl_json_string(const cfl_json *value, size_t *count) {
    *count = functions.json_string_length((const json_t *)value);
    return functions.json_string_value((const json_t *)value);
}

size_t cfl_json_array_count(const cfl_json *value) {
    return functions.json_array_size((const json_t *)value);
}

const cfl_json *cfl_json_array_value(const cfl_json *value, size_t index) {
    return (const cfl_json *)functions.json_array_get((const json_t *)value, index);
}

cfl_json_member *cfl_json_first_member(const cfl_json *object) {
    return functions.json_object_iter((json_t *)object);
}

cfl_json_member *cfl_json_next_member(const cfl_json *object, cfl_json_member *member) {
    return functions.json_object_iter_next((json_t *)object, member);
}

const char *cfl_json_member_name(cfl_json_member *member, size_t *count) {
    *count = functions.json_object_iter_key_len(member);
    return functions.json_object_iter_key(member);
}

const cfl_json *cfl_json_member_value(cfl_json_member *member) {
    return (const cfl_json *)functions.json_object_iter_value(member);
}
