#define _GNU_SOURCE
#include "CTracer.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// Exit statuses of a child that cannot become the program.
enum { noTracing = 120, noFilter = 121, noProgram = 122 };

// What is stopped at. Older names of some calls exist on older machines only.
static const struct {
  int number;
  CTracer_Call call;
} traced[] = {
    {SYS_openat, CTracer_makeFile},      {SYS_mkdirat, CTracer_makeFolder},
    {SYS_write, CTracer_write},          {SYS_copy_file_range, CTracer_copyRange},
    {SYS_fsync, CTracer_sync},           {SYS_fdatasync, CTracer_sync},
    {SYS_renameat, CTracer_rename},      {SYS_renameat2, CTracer_rename},
    {SYS_unlinkat, CTracer_remove},      {SYS_flock, CTracer_lock},
    {SYS_sendto, CTracer_send},          {SYS_recvfrom, CTracer_receive},
#ifdef SYS_rename
    {SYS_mkdir, CTracer_makeFolder},     {SYS_rename, CTracer_rename},
    {SYS_unlink, CTracer_remove},
#endif
};
enum { tracedCount = sizeof traced / sizeof *traced };

// For each call a comparison that jumps to "trace"; opening is looked at once more for O_CREAT.
static int filterCalls(void) {
  struct sock_filter filter[tracedCount + 8];
  int at = 0;
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                              offsetof(struct seccomp_data, nr));
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 2);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                              offsetof(struct seccomp_data, args[2]));
  filter[at++] =
      (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, tracedCount, tracedCount - 1);
  for (int i = 1; i < tracedCount; i++)
    filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, traced[i].number,
                                                tracedCount - i, 0);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  struct sock_fprog program = {.len = (unsigned short)at, .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// In the child: nothing but system calls, since other threads of the parent are gone here.
static void becomeProgram(const char *const arguments[], const int *descriptors,
                          const int *numbers, int count) {
  enum { high = 64, most = 8 };
  int copies[most];
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  setpgid(0, 0);
  // Out of the way of each other first.
  for (int i = 0; i < count && i < most; i++)
    copies[i] = fcntl(descriptors[i], F_DUPFD_CLOEXEC, high);
  for (int i = 0; i < count && i < most; i++) dup2(copies[i], numbers[i]);
  if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0) _exit(noTracing);
  if (filterCalls() < 0) _exit(noFilter);
  extern char **environ;
  execve(arguments[0], (char *const *)arguments, environ);
  _exit(noProgram);
}

pid_t CTracer_start(const char *const arguments[], const int *descriptors, const int *numbers,
                    int count) {
  pid_t process = fork();
  if (process < 0) return -1;
  if (process == 0) becomeProgram(arguments, descriptors, numbers, count);
  int status;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) {
    errno = WEXITSTATUS(status) == noTracing   ? EPERM
            : WEXITSTATUS(status) == noFilter ? ENOSYS
                                              : ENOENT;
    return -1;
  }
  // It stands behind execve(2).
  long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD |
                 PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, process, 0, options) < 0) {
    int error = errno;
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    errno = error;
    return -1;
  }
  ptrace(PTRACE_CONT, process, 0, 0);
  return process;
}

static void readText(pid_t thread, uint64_t address, char *text, size_t size) {
  memset(text, 0, size);
  // Byte ranges that end in a page that is not there are read as far as they go.
  for (size_t done = 0; done < size - 1;) {
    size_t step = 64 < size - 1 - done ? 64 : size - 1 - done;
    struct iovec here = {text + done, step};
    struct iovec there = {(void *)(uintptr_t)(address + done), step};
    ssize_t count = process_vm_readv(thread, &here, 1, &there, 1, 0);
    if (count <= 0 || memchr(text + done, 0, (size_t)count)) return;
    done += (size_t)count;
  }
}

// What the stop is about; false when it is none of the calls.
static int describe(pid_t thread, CTracer_Stop *stop) {
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return 0;
  if (info.op != PTRACE_SYSCALL_INFO_SECCOMP) return 0;
  int which = 0;
  while (which < tracedCount && (uint64_t)traced[which].number != info.seccomp.nr) which++;
  if (which == tracedCount) return 0;
  const uint64_t *arguments = info.seccomp.args;
  memset(stop, 0, sizeof *stop);
  stop->thread = thread;
  stop->call = traced[which].call;
  stop->descriptor = -1;
  switch (traced[which].number) {
#ifdef SYS_rename
    case SYS_mkdir:
    case SYS_unlink:
      readText(thread, arguments[0], stop->path, sizeof stop->path);
      return 1;
    case SYS_rename:
      readText(thread, arguments[1], stop->path, sizeof stop->path);
      return 1;
#endif
    case SYS_openat:
    case SYS_mkdirat:
    case SYS_unlinkat:
      readText(thread, arguments[1], stop->path, sizeof stop->path);
      return 1;
    case SYS_renameat:
    case SYS_renameat2:
      readText(thread, arguments[3], stop->path, sizeof stop->path);
      return 1;
    case SYS_copy_file_range:
      stop->descriptor = (int)arguments[2];
      stop->count = arguments[4];
      break;
    default:
      stop->descriptor = (int)arguments[0];
      stop->count = arguments[2];
      break;
  }
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, stop->descriptor);
  if (readlink(link, stop->path, sizeof stop->path - 1) < 0) stop->path[0] = 0;
  if (stop->call == CTracer_write || stop->call == CTracer_send) {
    struct iovec here = {stop->start,
                         stop->count < CTracer_startMax ? stop->count : CTracer_startMax};
    struct iovec there = {(void *)(uintptr_t)arguments[1], here.iov_len};
    ssize_t count = process_vm_readv(thread, &here, 1, &there, 1, 0);
    stop->startCount = count < 0 ? 0 : (uint64_t)count;
  }
  return 1;
}

int CTracer_next(pid_t process, CTracer_Stop *stop, int *status) {
  for (;;) {
    int state;
    pid_t thread = waitpid(-1, &state, __WALL | __WNOTHREAD);
    if (thread < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    if (WIFEXITED(state) || WIFSIGNALED(state)) {
      if (thread != process) continue;
      *status = state;
      return 0;
    }
    if (state >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8) && describe(thread, stop)) return 1;
    int signal = WSTOPSIG(state);
    // A thread is born with a stop, and events and the ends of calls are no signals of its own.
    if (signal == SIGTRAP || signal == SIGSTOP || signal == (SIGTRAP | 0x80)) signal = 0;
    ptrace(PTRACE_CONT, thread, 0, signal);
  }
}

void CTracer_go(const CTracer_Stop *stop) { ptrace(PTRACE_CONT, stop->thread, 0, 0); }

void CTracer_goThrough(const CTracer_Stop *stop) {
  int state;
  if (ptrace(PTRACE_SYSCALL, stop->thread, 0, 0) == 0) waitpid(stop->thread, &state, __WALL);
}

// The registers of a call by the number of its argument; -1 is the number of the call, and -2 its
// result.
static unsigned long long *place(struct user_regs_struct *registers, int argument) {
#if defined(__x86_64__)
  switch (argument) {
    case -2: return &registers->rax;
    case -1: return &registers->orig_rax;
    case 2: return &registers->rdx;
    case 4: return &registers->r8;
    default: return NULL;
  }
#elif defined(__aarch64__)
  return argument < 0 ? &registers->regs[argument == -1 ? 8 : 0] : &registers->regs[argument];
#else
#error "the registers of this machine's calls are not known here"
#endif
}

static void setRegister(pid_t thread, int argument, uint64_t value) {
  struct user_regs_struct registers;
  struct iovec all = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &all) < 0) return;
  *place(&registers, argument) = value;
  ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &all);
}

void CTracer_goHalf(const CTracer_Stop *stop) {
  setRegister(stop->thread, stop->call == CTracer_copyRange ? 4 : 2, (stop->count + 1) / 2);
  CTracer_goThrough(stop);
}

void CTracer_pretend(const CTracer_Stop *stop) {
  // A call with an impossible number is not made, and its result is what stands in its register.
#if defined(__aarch64__)
  int number = -1;
  struct iovec one = {&number, sizeof number};
  ptrace(PTRACE_SETREGSET, stop->thread, NT_ARM_SYSTEM_CALL, &one);
#else
  setRegister(stop->thread, -1, (uint64_t)-1);
#endif
  CTracer_goThrough(stop);
  setRegister(stop->thread, -2, stop->count);
  CTracer_go(stop);
}
