#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

_Static_assert(CLinux_readable == EPOLLIN && CLinux_writable == EPOLLOUT &&
                   CLinux_failed == EPOLLERR && CLinux_hungUp == EPOLLHUP &&
                   CLinux_peerEnded == EPOLLRDHUP,
               "event flags match the system's");

int CLinux_epollCreate(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int CLinux_epollAdd(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, events, token);
}

int CLinux_epollChange(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, events, token);
}

int CLinux_epollRemove(int epoll, int descriptor) {
  return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int CLinux_epollWait(int epoll, CLinux_Event *events, int capacity) {
  struct epoll_event ready[64];
  if (capacity > 64) capacity = 64;
  int count = epoll_wait(epoll, ready, capacity, -1);
  for (int i = 0; i < count; i++) {
    events[i].token = ready[i].data.u64;
    events[i].events = ready[i].events;
  }
  return count;
}

int CLinux_timerCreate(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

int CLinux_timerSet(int timer, int64_t nanoseconds) {
  struct itimerspec when = {.it_value = {.tv_sec = nanoseconds / 1000000000,
                                         .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

int64_t CLinux_monotonicNanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int CLinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int CLinux_pipeOfSize(int ends[2], int size) {
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -1;
  fcntl(ends[1], F_SETPIPE_SZ, size);
  return fcntl(ends[1], F_GETPIPE_SZ);
}

ssize_t CLinux_splice(int from, int to, size_t count) {
  return splice(from, NULL, to, NULL, count, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
}

int CLinux_signalCreate(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error != 0) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

void CLinux_signalIgnore(int number) { signal(number, SIG_IGN); }

int CLinux_pidfdOpen(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

ssize_t CLinux_copyRange(int from, int64_t offset, int to, size_t count) {
  off64_t position = offset;
  return copy_file_range(from, &position, to, NULL, count, 0);
}

static struct sockaddr_in ipv4(uint32_t address, uint16_t port) {
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(port)};
  name.sin_addr.s_addr = htonl(address);
  return name;
}

static int tcp(int receiveBuffer) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor >= 0 && receiveBuffer > 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, sizeof receiveBuffer);
  return descriptor;
}

static int closing(int descriptor) {
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int CLinux_listen(uint32_t address, uint16_t port, int receiveBuffer, int segment, int backlog) {
  int descriptor = tcp(receiveBuffer);
  if (descriptor < 0) return -1;
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (segment > 0) setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
  struct sockaddr_in name = ipv4(address, port);
  if (bind(descriptor, (struct sockaddr *)&name, sizeof name) < 0) return closing(descriptor);
  if (listen(descriptor, backlog) < 0) return closing(descriptor);
  return descriptor;
}

int CLinux_connect(uint32_t address, uint16_t port, int sendBuffer, int *error) {
  int descriptor = tcp(0);
  if (descriptor < 0) return -1;
  setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &sendBuffer, sizeof sendBuffer);
  struct sockaddr_in name = ipv4(address, port);
  *error = connect(descriptor, (struct sockaddr *)&name, sizeof name) < 0 ? errno : 0;
  return descriptor;
}

int CLinux_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int CLinux_boundPort(int descriptor, uint16_t *port) {
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  if (getsockname(descriptor, (struct sockaddr *)&name, &size) < 0) return -1;
  *port = ntohs(name.sin_port);
  return 0;
}

int CLinux_peer(int descriptor, uint32_t *address, uint16_t *port) {
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  if (getpeername(descriptor, (struct sockaddr *)&name, &size) < 0) return -1;
  *address = ntohl(name.sin_addr.s_addr);
  *port = ntohs(name.sin_port);
  return 0;
}

int CLinux_setNoDelay(int descriptor) {
  int on = 1;
  return setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int CLinux_setResetOnClose(int descriptor) {
  struct linger linger = {.l_onoff = 1, .l_linger = 0};
  return setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

int CLinux_unread(int descriptor) {
  int count = 0;
  return ioctl(descriptor, SIOCINQ, &count) < 0 ? 0 : count;
}

int CLinux_unacknowledged(int descriptor) {
  int count = 0;
  return ioctl(descriptor, SIOCOUTQ, &count) < 0 ? 0 : count;
}

int CLinux_unsent(int descriptor) {
  int count = 0;
  return ioctl(descriptor, SIOCOUTQNSD, &count) < 0 ? 0 : count;
}

int CLinux_diagnosisCreate(void) {
  return socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

// The states of a socket that has ended its stream: FIN_WAIT1, FIN_WAIT2, TIME_WAIT, LAST_ACK and
// CLOSING, by the kernel's numbers; <netinet/tcp.h> names them but is at odds with <linux/tcp.h>.
enum { finQueued = 1 << 4 | 1 << 5 | 1 << 6 | 1 << 9 | 1 << 11 };

int CLinux_diagnose(int netlink, uint32_t localAddress, uint16_t localPort, uint32_t remoteAddress,
                    uint16_t remotePort, CLinux_SocketState *state) {
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
  } question = {
      .header = {.nlmsg_len = sizeof question,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST},
      .request = {.sdiag_family = AF_INET,
                  .sdiag_protocol = IPPROTO_TCP,
                  .idiag_ext = 1 << (INET_DIAG_INFO - 1),
                  .idiag_states = ~0u,
                  .id = {.idiag_sport = htons(localPort),
                         .idiag_dport = htons(remotePort),
                         .idiag_src = {htonl(localAddress)},
                         .idiag_dst = {htonl(remoteAddress)},
                         .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}},
  };
  if (send(netlink, &question, sizeof question, 0) < 0) return -1;
  union {
    struct nlmsghdr header;
    char bytes[4096];
  } answer;
  ssize_t count;
  do {
    count = recv(netlink, &answer, sizeof answer, 0);
  } while (count < 0 && errno == EINTR);
  if (count < (ssize_t)sizeof answer.header) return -1;
  if (answer.header.nlmsg_type == NLMSG_ERROR) {
    errno = -((struct nlmsgerr *)NLMSG_DATA(&answer.header))->error;
    return -1;
  }
  struct inet_diag_msg *message = NLMSG_DATA(&answer.header);
  memset(state, 0, sizeof *state);
  state->sendQueue = message->idiag_wqueue;
  int left = (int)answer.header.nlmsg_len - (int)NLMSG_LENGTH(sizeof *message);
  struct rtattr {
    unsigned short length, type;
  } *attribute = (struct rtattr *)(message + 1);
  while (left >= (int)sizeof *attribute && attribute->length >= sizeof *attribute &&
         attribute->length <= left) {
    if (attribute->type == INET_DIAG_INFO) {
      struct tcp_info information = {0};
      size_t size = attribute->length - sizeof *attribute;
      memcpy(&information, attribute + 1, size < sizeof information ? size : sizeof information);
      state->retransmissions = information.tcpi_total_retrans;
      state->duplicates = information.tcpi_dsack_dups;
      state->probes = information.tcpi_probes;
      // Both sequence numbers count the SYN, and the FIN once one was queued.
      uint64_t sequence = information.tcpi_bytes_acked + message->idiag_wqueue;
      uint64_t flags = 1 + (1 << message->idiag_state & finQueued ? 1 : 0);
      state->written = sequence > flags ? sequence - flags : 0;
    }
    int step = (attribute->length + 3) & ~3;
    left -= step;
    attribute = (struct rtattr *)((char *)attribute + step);
  }
  return 0;
}

int CLinux_terminalWidth(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

_Static_assert(CLinux_spawnSession == POSIX_SPAWN_SETSID, "the flag of <spawn.h>");

int CLinux_spawnFolder(void *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int CLinux_terminalCreate(int *controller, int *terminal, char *name, int nameSize, int columns,
                          int rows) {
  *controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*controller < 0) return -1;
  if (grantpt(*controller) < 0 || unlockpt(*controller) < 0 ||
      (errno = ptsname_r(*controller, name, (size_t)nameSize)) != 0)
    return closing(*controller);
  *terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*terminal < 0) return closing(*controller);
  struct termios settings;
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  if (tcgetattr(*terminal, &settings) == 0) {
    settings.c_lflag &= ~(tcflag_t)ECHO;
    settings.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(*terminal, TCSANOW, &settings);
  }
  ioctl(*terminal, TIOCSWINSZ, &size);
  return 0;
}
