// Linux calls that Swift's Glibc module does not show, or shows as variadic functions and macros.
#pragma once
#include <stdint.h>
#include <sys/types.h>

// epoll. `epoll_event` is packed and holds a union: passed here as two plain numbers.
enum {
  CLinux_readable = 0x001,    // EPOLLIN
  CLinux_writable = 0x004,    // EPOLLOUT
  CLinux_failed = 0x008,      // EPOLLERR
  CLinux_hungUp = 0x010,      // EPOLLHUP
  CLinux_peerEnded = 0x2000,  // EPOLLRDHUP
};
typedef struct {
  uint64_t token;
  uint32_t events;
} CLinux_Event;
int CLinux_epollCreate(void);
int CLinux_epollAdd(int epoll, int descriptor, uint32_t events, uint64_t token);
int CLinux_epollChange(int epoll, int descriptor, uint32_t events, uint64_t token);
int CLinux_epollRemove(int epoll, int descriptor);
// Waits without a time limit: time limits are timerfd's.
int CLinux_epollWait(int epoll, CLinux_Event *events, int capacity);

// timerfd on the monotonic clock, absolute times in nanoseconds; 0 disarms.
int CLinux_timerCreate(void);
int CLinux_timerSet(int timer, int64_t nanoseconds);
int64_t CLinux_monotonicNanoseconds(void);

// Both ends are closed in programs that are executed (pipe2(2)): reading end first.
int CLinux_pipe(int ends[2]);
// Both ends never wait; the size is what is asked for if the system allows it (F_SETPIPE_SZ is a GNU
// extension of a variadic call), and is returned; -1 with errno when there is no pipe.
int CLinux_pipeOfSize(int ends[2], int size);
// Bytes moved from a socket to a pipe or back without waiting, or -1 with errno (splice(2), a GNU
// extension). To a socket that is broken it raises SIGPIPE as well: there is no flag against it.
ssize_t CLinux_splice(int from, int to, size_t count);

// Blocks the signals in the calling thread and gives a descriptor that is readable once one has come.
int CLinux_signalCreate(const int *signals, int count);
void CLinux_signalIgnore(int signal);

// Not in glibc 2.36 as far as Swift's module map shows.
int CLinux_pidfdOpen(pid_t pid);

// Bytes that the kernel copied from an offset of one file to the position of another, 0 at the end,
// or -1 (copy_file_range(2), a GNU extension that Swift's Glibc module does not show).
ssize_t CLinux_copyRange(int from, int64_t offset, int to, size_t count);

// Sockets, IPv4. Addresses and ports are in host byte order.
int CLinux_listen(uint32_t address, uint16_t port, int receiveBuffer, int segment, int backlog);
// Starts a connection without waiting; 0 or EINPROGRESS in *error is success.
int CLinux_connect(uint32_t address, uint16_t port, int sendBuffer, int *error);
int CLinux_accept(int listener);
int CLinux_boundPort(int descriptor, uint16_t *port);
int CLinux_peer(int descriptor, uint32_t *address, uint16_t *port);
int CLinux_setNoDelay(int descriptor);
// The next close sends a reset and discards what was not sent.
int CLinux_setResetOnClose(int descriptor);
// Received and not yet read (SIOCINQ); sent or waiting and not yet acknowledged (SIOCOUTQ).
int CLinux_unread(int descriptor);
int CLinux_unacknowledged(int descriptor);
// Written and not yet sent (SIOCOUTQNSD).
int CLinux_unsent(int descriptor);

// The kernel's own view of any TCP socket of this machine, by its two ends (sock_diag(7)).
typedef struct {
  uint32_t sendQueue;  // written by its process and not yet acknowledged, bytes
  uint64_t written;    // by its process since it was connected by connect(2), bytes
  uint32_t retransmissions;
  uint32_t duplicates;  // of them, segments that the peer reported as received already (RFC 2883)
  uint32_t probes;
} CLinux_SocketState;
int CLinux_diagnosisCreate(void);
// 0, or -1 with errno; ENOENT when there is no such socket.
int CLinux_diagnose(int netlink, uint32_t localAddress, uint16_t localPort, uint32_t remoteAddress,
                    uint16_t remotePort, CLinux_SocketState *state);

// Columns of the terminal behind a descriptor (TIOCGWINSZ, a variadic call); 0 when it has none.
int CLinux_terminalWidth(int descriptor);

// A pair of a terminal's two ends, closed in programs that are executed: what is written to the
// `terminal` can be read from the `controller`, as it was written; input is not echoed (posix_openpt(3)
// and what follows it is not shown). The name is that of the terminal. 0, or -1 with errno.
int CLinux_terminalCreate(int *controller, int *terminal, char *name, int nameSize, int columns,
                          int rows);

// posix_spawn's flag for a session of its own (a GNU extension).
enum { CLinux_spawnSession = 0x80 };
// Has what is spawned with these actions (posix_spawn_file_actions_t) work in a folder: 0, or an error
// number (a GNU extension).
int CLinux_spawnFolder(void *actions, const char *folder);
