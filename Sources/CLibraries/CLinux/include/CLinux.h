// Linux calls that the Glibc module of Swift does not show: epoll, timerfd, eventfd, signalfd,
// pidfd, accept4 and the socket tables of the kernel (sock_diag).
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
