#ifndef CLINUXFILES_SHIM_H
#define CLINUXFILES_SHIM_H
#include <sys/xattr.h>
#endif
