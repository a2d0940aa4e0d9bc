// A process whose calls are stopped before they are made (ptrace(2), seccomp(2)); for tests alone.
//
// All calls for one process come from one thread: the kernel knows its tracer by the thread.
#pragma once
#include <stdint.h>
#include <sys/types.h>

enum { CTracer_pathMax = 512, CTracer_startMax = 1024 };

typedef enum {
  CTracer_makeFile,  // open(2) with O_CREAT
  CTracer_makeFolder,
  CTracer_write,
  CTracer_copyRange,
  CTracer_sync,
  CTracer_rename,
  CTracer_remove,
  CTracer_lock,
  CTracer_send,
  CTracer_receive,
} CTracer_Call;

// A thread that is about to make a call.
typedef struct {
  pid_t thread;
  CTracer_Call call;
  int descriptor;               // -1 when the call names a path
  char path[CTracer_pathMax];   // what it is about, or what the descriptor stands for
  uint64_t count;               // of bytes that are asked for
  char start[CTracer_startMax]; // the first of the bytes to be written or sent
  uint64_t startCount;
} CTracer_Stop;

// Starts arguments[0], an absolute path, with descriptors[i] as its descriptor numbers[i], of which
// there are 8 at most, and with no signal blocked or ignored. It ends with the calling thread's process.
// Returns its id, or -1 with errno: EPERM when tracing, ENOSYS when filtering is not permitted here.
pid_t CTracer_start(const char *const arguments[], const int *descriptors, const int *numbers,
                    int count);
// Waits for the next call; 1 for a call, 0 when the process has ended, with its status as of
// waitpid(2), and -1 with errno.
int CTracer_next(pid_t process, CTracer_Stop *stop, int *status);
// Lets the call be made.
void CTracer_go(const CTracer_Stop *stop);
// Lets it be made, and waits until it has been; the thread stands still behind it.
void CTracer_goThrough(const CTracer_Stop *stop);
// Lets it be made for half of its bytes, a short write as POSIX allows it, and waits as well.
void CTracer_goHalf(const CTracer_Stop *stop);
// Lets it do nothing, and tells the process that it did all it was to do.
void CTracer_pretend(const CTracer_Stop *stop);
