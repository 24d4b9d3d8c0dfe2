// Sockets and memory files.

#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 16
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

const uint64_t csandbox_magic = 0x6465636f64657231;

enum { page_byte_count = 4096 };

bool csandbox_make_sockets(int *mine, int *other) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return false;
    *mine = pair[0];
    *other = pair[1];
    return true;
}

int csandbox_make_memory(const char *name) {
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    // Linux before 6.3 lacks this flag.
    if (memory < 0 && errno == EINVAL) memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return memory;
}

/// Returns `memory`; if `is_done` is false, closes it and returns -1 without changing errno.
static int kept(int memory, bool is_done) {
    if (is_done) return memory;
    int error = errno;
    close(memory);
    errno = error;
    return -1;
}

int csandbox_make_sealed_copy(const void *bytes, size_t count) {
    int memory = csandbox_make_memory("image-body");
    if (memory < 0) return -1;
    size_t done = 0;
    while (done < count) {
        ssize_t written = write(memory, (const char *)bytes + done, count - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return kept(memory, false);
        done += (size_t)written;
    }
    int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
    return kept(memory, fcntl(memory, F_ADD_SEALS, seals) == 0);
}

/// Creates memory of a fixed length and maps it; returns -1 with errno on failure.
///
/// If the helper could remove a page, the program would crash on its next access to it.
static int make_shared(const char *name, size_t count, int seals, void **start) {
    int memory = csandbox_make_memory(name);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)count) != 0) return kept(memory, false);
    void *mapped = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapped == MAP_FAILED) return kept(memory, false);
    if (fcntl(memory, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL | seals) != 0) {
        munmap(mapped, count);
        return kept(memory, false);
    }
    *start = mapped;
    return memory;
}

int csandbox_make_bodies(void **start) {
    // The existing mapping stays writable.
    return make_shared("image-bodies", csandbox_bodies_byte_count, F_SEAL_FUTURE_WRITE, start);
}

void csandbox_free_bodies(void *start) { munmap(start, csandbox_bodies_byte_count); }

int csandbox_make_control(void **page) {
    return make_shared("image-control", page_byte_count, 0, page);
}

void csandbox_free_control(void *page) { munmap(page, page_byte_count); }

static const void *mapped(int memory, size_t count, int flags) {
    void *start = mmap(NULL, count, PROT_READ, flags, memory, 0);
    close(memory);
    return start == MAP_FAILED ? NULL : start;
}

const void *csandbox_map_body(int body, size_t count) {
    // Linux before 6.7 does not allow shared mappings of memory that is sealed against writing.
    return mapped(body, count, MAP_PRIVATE);
}

void csandbox_free_body(const void *start, size_t count) { munmap((void *)start, count); }

const void *csandbox_map_control(void) {
    return mapped(csandbox_control, page_byte_count, MAP_SHARED);
}

const void *csandbox_map_bodies(void) {
    return mapped(csandbox_bodies, csandbox_bodies_byte_count, MAP_SHARED);
}

void csandbox_cancel(void *page, uint64_t number) {
    atomic_store_explicit((_Atomic uint64_t *)page, number, memory_order_relaxed);
}

bool csandbox_is_cancelled(const void *page, uint64_t number) {
    const _Atomic uint64_t *cancelled = page;
    return atomic_load_explicit(cancelled, memory_order_relaxed) >= number;
}

int csandbox_send(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec content = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } extra;
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (descriptor >= 0) {
        memset(&extra, 0, sizeof extra);
        message.msg_control = &extra;
        message.msg_controllen = sizeof extra.space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)count ? 0 : sent < 0 ? errno : EMSGSIZE;
}

ssize_t csandbox_receive(int socket, void *bytes, size_t capacity) {
    struct iovec content = {.iov_base = bytes, .iov_len = capacity};
    // Without room for descriptors, the kernel closes any that arrive.
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    return count >= 0 && (message.msg_flags & MSG_TRUNC) ? (ssize_t)capacity + 1 : count;
}

bool csandbox_take_request(struct csandbox_request *request, int *body) {
    struct iovec content = {.iov_base = request, .iov_len = sizeof *request};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } extra;
    struct msghdr message = {.msg_iov = &content,
                             .msg_iovlen = 1,
                             .msg_control = &extra,
                             .msg_controllen = sizeof extra.space};
    ssize_t count;
    do count = recvmsg(csandbox_socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count != sizeof *request) return false;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *body = -1;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS)
        memcpy(body, CMSG_DATA(header), sizeof *body);
    return true;
}

bool csandbox_wait(int socket, int milliseconds) {
    struct pollfd source = {.fd = socket, .events = POLLIN};
    return poll(&source, 1, milliseconds) > 0;
}

bool csandbox_read(int descriptor, void *bytes, size_t count, int64_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t part = pread(descriptor, (char *)bytes + done, count - done, offset + (off_t)done);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) return false;
        done += (size_t)part;
    }
    return true;
}

bool csandbox_write_answer(const void *bytes, size_t count, int64_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t part = pwrite(csandbox_answers, (const char *)bytes + done, count - done,
                              offset + (off_t)done);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) return false;
        done += (size_t)part;
    }
    return true;
}

void csandbox_empty(int descriptor) { (void)!ftruncate(descriptor, 0); }
