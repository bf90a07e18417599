// SPDX-License-Identifier: Apache-2.0
// The types that the files of the core share. core.c includes all of them, so that one run of the compiler makes
// one object and every function but the exported ones is static.
#ifndef LANEWISE_CORE_H
#define LANEWISE_CORE_H

#define _GNU_SOURCE // the registers in a signal's context

#include "lanewise_rt.h"

#include "sanitizers.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
  CACHE_LINE = 64,
  ARENA_MARGIN = 128, // bytes before and after an arena that generated code may access, as in layout/abi.py;
                      // and its alignment
  MAX_THREADS = 1024,
  MAX_PASTS = 16,    // functions of which a slot knows how long the last launch took
  MAX_LAUNCHES = 64, // at once in one pool; a further one waits for a slot
  MAX_SHARES = 32,   // of a launch's work-groups
};

enum {
  STACK_BYTES = 8 << 20,       // what a thread has for generated code
  STACK_GUARD_BYTES = 1 << 20, // below it: a frame that is larger may miss it
};

// Memory that grows on demand and whose contents needn't survive that.
struct scratch {
  char *data;
  size_t capacity;
};

// The output of printf: whole records, in the order in which they were made.
struct output {
  pthread_mutex_t lock;
  char *data;
  size_t size;
  size_t capacity;
  bool cut; // nothing more is taken
};

// What one thread has taken on of a launch: the work-groups next..end in linear order.
struct claim {
  uint64_t next;
  uint64_t end;
  uint64_t chunk; // how many to claim after that
  uint32_t share; // whose work-groups come first
};

// A range of a launch's work-groups, for one thread to begin with.
struct share {
  _Alignas(CACHE_LINE) atomic_ullong next; // the first that nobody has claimed
  uint64_t end;
};

// Its bytes are low..top; guard..low faults.
struct stack {
  char *guard;
  char *low;
  char *top;
};

// How the code on a runner's stack left it.
enum leaving {
  UNUSED,  // it has never begun
  DONE,    // it has run to its end
  STOPPED, // its launch has ended
  AWAY,    // it goes on when the thread comes back
  WAITING, // it goes on when all work-groups of the grid have come as far
};

// Addresses of one allocation, or of none, from `low` to before `high`.
struct found_memory {
  uintptr_t low, high; // equal: nothing is known
  uint64_t bytes;      // as services tell it
  uint64_t changes;    // of the allocations of the process, when this was so
};

enum { FOUND_MEMORY = 8 };

enum { FENCING_WARPS = 32 };

// Fences of the warps of a work-group since its last barrier, in a checked launch.
struct warp_fences {
  uint32_t launch, group[3], epoch;
  uint16_t steps[FENCING_WARPS]; // operations of the warp before its first fence; UINT16_MAX: it has executed none
};

// What runs work-groups: generated code on a stack of its own, and what its thread needs to know of it.
struct runner {
  lw_launch launch; // what generated code is told; `internal` points to this runner
  lw_position position;
  lw_waiting waiting;    // kept from launch to launch
  uint64_t idle_before;  // both as they were when the round of stuck.c began
  uint64_t changes_before;
  struct slot *slot;
  void (*body)(struct runner *);
  uint32_t group[3]; // the work-group that runs,
  lw_group_fn function; // and its code
  volatile sig_atomic_t held;    // signals leave the thread where it is
  volatile sig_atomic_t probing; // though held, a fault may end the launch
  _Atomic(enum leaving) left; // stuck.c reads it on another thread
  uintptr_t instruction; // at which a signal took the thread away; 0: it went by itself
  void *there; // where it goes on
  void *home;  // where the thread goes on when it leaves
  struct stack stack;
  char *arena;
  uint32_t threads;      // that share the launch
  struct claim claim;
  uint64_t deadline;     // after which the thread comes home, ns
  struct runner *behind; // in a queue
  struct warps *warps;   // of the work-group, if they have stacks of their own; kept from launch to launch
  struct races *races;   // accesses to shared memory, in a checked launch; kept likewise
  struct checked_meetings *meetings; // barriers, likewise
  struct found_memory found[FOUND_MEMORY]; // what pointers of checked launches led to last
  uint32_t fenced_group[3];          // the last work-group that executed a fence, in a checked launch,
  uint32_t fenced_launch;            // and that launch, as fences.c numbers them; 0: none has
  struct warp_fences warp_fences;
};

// Runners that wait for their turn on one thread.
struct queue {
  struct runner *first;
  struct runner *last;
};

// All work-groups of a cooperative launch, each with stack and arena.
struct crew {
  _Atomic(char *) memory; // null: the launch is not cooperative; the watch reads it beside the launch
  size_t bytes;
  size_t bytes_each;
  atomic_bool has_more;        // some work-group's runner has memory of its own
  atomic_ullong reached;        // work-groups that wait for the others, and above WAITING_BITS those that have ended
  _Alignas(CACHE_LINE) atomic_uint phase; // changes when all have come as far, or the launch stops; a futex
};

// What stuck.c knows of a launch; times are of now_ns().
struct round {
  uint64_t began; // 0: there is none yet
  // As they were then: who works on the launch.
  unsigned phase, helpers;
  uint64_t reached;
  enum leaving own_left;
  atomic_ullong quiet_since; // since when all of its threads wait; 0: they don't
  atomic_ullong seen;        // when that was last found
};

// The last launch of a function by a slot.
struct past {
  lw_group_fn function;
  uint64_t total, took_ns;
};

// One launch. Slots are reused and never freed, so a late worker may look at one that was released and even taken
// again: it joins (`helpers`), then looks whether the slot is `open`, and leaves if not. What follows `launch`
// changes only while the slot isn't open and nobody has joined.
struct slot {
  _Alignas(CACHE_LINE) atomic_uintptr_t owner; // the launching thread's pthread_self(); 0: the slot is free
  atomic_uint open;                            // workers may join
  atomic_uint helpers;                         // workers that have joined; a futex
  atomic_uint awaited;                         // the launching thread sleeps until `helpers` is 0
  atomic_uint stop;                            // no further work-group starts
  _Atomic uint64_t may_fail; // the serial number of the launch, while no thread has taken the right to write `status`
  atomic_uint placed;                          // ... and to say where a cancelled one was
  atomic_int owner_id;                         // the launching thread's id, as the system has it
  atomic_ullong deadline; // when the launching thread, which runs generated code, is to come home, ns; 0: it is there

  _Alignas(CACHE_LINE) lw_launch launch;
  lw_group_fn _Atomic function; // of the work-groups to come: lw_replace_code changes it while others run
  lw_trial *trial;              // of a second code; null: there is none
  size_t arena_bytes;
  size_t args_bytes;
  uint64_t total; // work-groups
  uint32_t most_threads; // that may work on them, the launching one included
  atomic_uint serial; // counts the launches of this slot, from 1: part of their numbers
  lw_status status;
  struct scratch args;
  struct scratch arena; // of the launching thread
  struct runner own;    // of the launching thread, kept while it is away
  struct queue turns;   // the same, of a cooperative launch
  struct crew crew;
  uint64_t took_ns; // so far, without the time that the launching thread was away
  uint64_t ended_ns;    // when the launch before in this slot had ended
  uint64_t expected_ns; // that the launch takes, going by the last one of its function; UINT64_MAX if unknown
  struct past *past;    // of the function that was asked for
  struct past pasts[MAX_PASTS];
  bool joinable;        // workers that are awake are of use
  bool wakes;           // workers that sleep are worth waking
  struct round round;
  struct output output;

  uint32_t share_count;
  struct share shares[MAX_SHARES]; // a cooperative launch has the first alone
};

struct worker {
  lw_pool *pool;
  uint32_t index;           // from 1: 0 is the launching thread
  atomic_int id;            // as the system has it
  atomic_uintptr_t helping; // the slot whose launch it works on
  struct scratch arena;
  struct runner runner;
};

struct lw_pool {
  _Alignas(CACHE_LINE) atomic_uint generation; // changes when a slot opens; a futex
  atomic_uint sleepers;                        // workers that wait for it to change
  atomic_uint threads; // that may work, the launching one included; a futex for the workers beyond
  atomic_uint started; // workers that exist
  atomic_uint used;    // slots that were ever taken: those before this index
  // In a line of their own, since launches write them: workers that spin read the one above.
  _Alignas(CACHE_LINE) atomic_ullong ended_ns; // when the last launch had ended for which workers are of use
  atomic_ullong pause_ns;      // the mean time between such launches, and
  atomic_ullong took_ns;       // of each of them
  atomic_ullong crowded_until; // other threads want the processors
  pthread_mutex_t starting;
  struct worker *_Atomic workers[MAX_THREADS]; // by index
  lw_pool *following;                          // in the list of all pools
  struct slot slots[MAX_LAUNCHES];
};

static lw_pool *_Atomic all_pools;

// glibc keeps pthread_atfork itself in a static library, for programs that are linked against it.
extern int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);

// The host writes and reads these by their layout, generated code the first three.
_Static_assert(offsetof(lw_pool, ended_ns) / CACHE_LINE > offsetof(lw_pool, used) / CACHE_LINE, "");
_Static_assert(offsetof(lw_launch, position) == 56, "");
_Static_assert(offsetof(lw_launch, stream_bytes) == 64, "");
_Static_assert(sizeof(lw_position) == 40, "");
_Static_assert(sizeof(lw_waiting) == 32, "");
_Static_assert(sizeof(lw_request) == 64, "");
_Static_assert(sizeof(lw_trial) == 88, "");
_Static_assert(sizeof(lw_status) == 80 + 3 * LW_TEXT_BYTES, "");

#endif
