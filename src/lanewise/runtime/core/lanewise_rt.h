// SPDX-License-Identifier: Apache-2.0
// The runtime core: what generated code may call, and how a launch is started.
//
// A launch calls a work-group function once for each work-group of a grid, on the threads of a pool and on the
// calling thread. Work-groups are handed out in increasing linear order, x fastest.
#ifndef LANEWISE_RT_H
#define LANEWISE_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Between generated code and the core -------------------------------------------------------------------

struct lw_checked_place;
struct lw_services;

enum { LW_KNOWS_PLACE = 1, LW_KNOWS_THREAD = 2, LW_KNOWS_BLOCK = 4 };

// Where a thread is in the source. Code that is compiled for debugging keeps it up to date; reports of failures use
// it. The core clears `known` before each work-group.
typedef struct lw_position {
  const char *file; // static, as `function`
  const char *function;
  uint32_t line;
  uint32_t known;     // LW_KNOWS_PLACE: the fields so far, LW_KNOWS_THREAD: `thread`
  uint32_t thread[3]; // work-item
  uint32_t reserved;
} lw_position;

// What a thread tells of loops that wait for others. A turn is idle if it comes back to a state that the loop was in
// before: it then repeats itself until another thread, or the host, changes memory. Both numbers only go up.
typedef struct lw_waiting {
  uint64_t idle;         // turns
  uint64_t changes;      // times that a loop began to repeat itself, or stopped to, or read something new
  uint32_t thread[3];    // work-item of the last turn
  uint32_t knows_thread; // whether `thread` is known
} lw_waiting;

// What a work-group function is told. The core gives every thread its own copy.
typedef struct lw_launch {
  const void *args;                   // packed kernel arguments, each at its natural alignment; start 64-aligned
  const struct lw_services *services; // what generated code may call
  void *internal;                     // the core's own
  uint32_t grid[3];                   // work-groups in x, y, z
  uint32_t block[3];                  // work-items of a work-group in x, y, z
  uint32_t dynamic_shared;            // bytes
  uint32_t flags;                     // of the request
  lw_position *position;              // of the thread
  uint64_t stream_bytes;              // work-groups that store more than this each store more than the caches hold
} lw_launch;

// Runs all work-items of work-group (gx, gy, gz). `arena` is the thread's own memory, aligned to 128 bytes, as OpenCL's
// long16 is, of the size that the launch asked for, with 128 bytes before and after that it may access, too. Its
// contents are undefined at each call.
typedef void (*lw_group_fn)(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz);

// Functions for generated code, called with the `launch` that the work-group function was given.
typedef struct lw_services {
  // __trap() of work-item t in work-group g: the launch ends, no further work-group starts.
  void (*trap)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                         uint32_t tz);
  // A failed assert(): as trap, with the assertion's text, file, line and function.
  void (*assert_fail)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                uint32_t ty, uint32_t tz, const char *message, const char *file, uint32_t line,
                                const char *function);
  // CUDA's vprintf: `packed` holds the arguments, promoted as C promotes them, each at its natural alignment.
  // Returns the number of arguments, or -1 where `format` is null, -2 where memory is short.
  int32_t (*vprintf)(const lw_launch *launch, const char *format, const void *packed);
  // For loops that wait for another work-group: gives up the processor, and ends the launch on this thread, without
  // returning, where another work-group failed or the launch was cancelled.
  void (*yield)(const lw_launch *launch);
  // Texture fetches and surface accesses, as texture.h has them.
  const struct lw_texture_services *textures;
  // Device malloc and free, as heap.c says.
  void *(*allocate)(uint64_t bytes);
  void (*release)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty, uint32_t tz,
                  void *memory);
  // Called once by a work-group: returns when all work-groups of the grid have called it. In a launch that is not
  // cooperative it ends the launch, as where a work-group ends while others wait.
  void (*grid_sync)(const lw_launch *launch);
  // The thread's record of loops that wait; the same one until the work-group ends.
  lw_waiting *(*waiting)(const lw_launch *launch);
  // For work-group functions whose warps have stacks of their own, called at their start with the number of warps: runs
  // the function once for each of these, and returns -1 when all have ended. There, it returns the warp's number.
  int32_t (*own_warp)(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t warps);
  // Called there by the lanes `active` of a warp: arrives at barrier `number` of the work-group and waits for others,
  // by `flags` of enum lw_meeting. `count`: work-items that are to arrive; 0: of all warps that have not ended.
  // `votes`: the predicates of the lanes. Returns their reduction.
  uint32_t (*meet)(const lw_launch *launch, char *arena, uint32_t flags, uint32_t number, uint32_t count,
                   uint32_t votes, uint32_t active);
  // As own_warp, for work-group functions whose threads have stacks of their own; it returns the thread's number. There,
  // meet is called by each thread, with 1 as `active`.
  int32_t (*own_thread)(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t threads);
  // Called there by a lane of a warp, with its `count` operands at values[operand * 32 + lane]: waits until all lanes of
  // `mask` that have not ended have come to the same operation with the same mask. Returns the lanes that have, and
  // leaves their operands in `values`. With the bit LW_EXCHANGE_AT_PLACE, `operation` is the number of an instruction,
  // and the lanes that meet there are those that happen to.
  uint32_t (*exchange)(const lw_launch *launch, char *arena, uint32_t operation, uint32_t mask, uint32_t count,
                       uint64_t *values);
  // Counts a fault of a checked kernel at place `site` of `report`, and keeps the first few.
  void (*check_fault)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                      uint32_t tz, struct lw_checked_place *report, uint32_t site, uint32_t what, int64_t number);
  // Looks whether an access to shared memory, byte `offset` of an array, races with one before; races.c tells more.
  // `flags` is of enum lw_shared_access, `value` what is written, `epoch` and `step` count barriers of the work-group,
  // and operations of the warp since the last of them. With LW_SHARED_FENCE it only tells that the thread has executed a
  // fence.
  void (*check_shared)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                       uint32_t tz, struct lw_checked_place *report, uint32_t site, const char *address, int64_t offset,
                       uint32_t size, uint32_t flags, uint64_t value, uint32_t epoch, uint32_t step);
  // Tells of a barrier, of an operation of the warp with a mask, or of the thread's end, as meeting_checks.c says: `flags`
  // is of enum lw_checked_meeting, with a slot from bit 8 on and the kind of operation from bit 16 on.
  void (*check_meeting)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                        uint32_t tz, struct lw_checked_place *report, uint32_t site, uint32_t flags, uint32_t mask,
                        uint32_t count);
  // As check_shared, for global memory; global_races.c tells more. With LW_SHARED_FENCE it only tells that the
  // work-group's accesses may be ordered with those of others from now on.
  void (*check_global)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                       uint32_t tz, struct lw_checked_place *report, uint32_t site, const char *address, int64_t offset,
                       uint32_t size, uint32_t flags, uint64_t value, uint32_t epoch, uint32_t step);
  // As check_global with LW_SHARED_GLOBAL, else as check_shared, for several work-items of a group: those of the bits of
  // `active`, whose numbers are the places in the arrays. `threads`: in linear order; `values` isn't read unless
  // LW_SHARED_KNOWN.
  void (*check_accesses)(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, struct lw_checked_place *report,
                         uint32_t site, uint32_t size, uint32_t flags, uint32_t epoch, uint32_t step, uint64_t active,
                         const uint32_t *threads, const char *const *addresses, const int64_t *offsets,
                         const uint64_t *values);
  // The start and the size of the allocation of lw_allocate that an address is in: that address itself, and
  // LW_UNKNOWN_BYTES, if it is in none. The size of one that has been freed, and is kept, is 0.
  uint64_t (*memory_start)(const lw_launch *launch, const char *address);
  uint64_t (*memory_bytes)(const lw_launch *launch, const char *address);
} lw_services;

#define LW_UNKNOWN_BYTES ((uint64_t)1 << 62)

enum lw_checked_meeting {
  LW_MEETING_WAITS = 0,  // at a barrier
  LW_MEETING_JOINS = 1,  // an operation with a mask
  LW_MEETING_COUNTS = 2, // how often it has come to the code behind, before it ends
  LW_MEETING_ENDS = 3,
  LW_MEETING_KINDS = 3,
  LW_MEETING_STRICT = 4, // all threads are to come to this barrier
  LW_MEETING_SLOTS = 64,
};

// What is wrong with a barrier or an operation of the warp.
enum lw_meeting_fault {
  LW_MEETING_ELSEWHERE = 1, // others wait at another barrier
  LW_MEETING_PAST = 2,      // others have gone past it, and ended
  LW_MEETING_RETURNED = 3,  // others have returned
  LW_MEETING_LACKS = 4,     // a mask lacks the lane itself
  LW_MEETING_ABSENT = 5,    // a mask names lanes that never come
};

enum lw_shared_access {
  LW_SHARED_WRITES = 1,
  LW_SHARED_ATOMIC = 2,   // an atomic operation
  LW_SHARED_VOLATILE = 4, // code that counts on warps in lock-step
  LW_SHARED_KNOWN = 8,    // `value` is known
  LW_SHARED_FENCE = 16,   // no access
  LW_SHARED_ABOUT = 15,   // the flags above that say what an access is
  LW_SHARED_GLOBAL = 32,  // to global memory
  LW_SHARED_STRICT = 64,  // writes of equal values are told, too, at the place after `site`
  LW_SHARED_WIDE = 128,   // warps of the kernel have 64 threads, not 32
};

enum { LW_KEPT_FAULTS = 4 };

// What a checked kernel found at one place of its source.
struct lw_checked_place {
  uint64_t count;
  struct {
    uint32_t block[3], thread[3];
    uint32_t what, reserved; // 0: out of bounds; else the number of an index, or 255: not aligned
    int64_t number;          // the byte in the object, or the index
  } faults[LW_KEPT_FAULTS];
};

enum { LW_EXCHANGE_AT_PLACE = 1 << 30 };

enum lw_meeting {
  LW_MEET_REDUCES = 3,     // mask: 1 counts, 2 is and, 3 is or
  LW_MEET_ARRIVES = 4,     // without waiting
  LW_MEET_WHOLE_WARP = 8,  // the warp counts with all its lanes, whichever are active
  LW_MEET_ONLY_WAITS = 16, // at no barrier: other warps go on first
};

// ---- Between the host and the core -------------------------------------------------------------------------

typedef struct lw_pool lw_pool;

// Two codes of one kernel, `function` of the request and `second`, with the same results: trial.c tells how the clock
// chooses. All but `long_ns` is zero at first; it lives as long as requests name it.
typedef struct lw_trial {
  lw_group_fn second;
  uint64_t arena_bytes; // of the second, without dynamic shared memory
  uint64_t long_ns;     // after which the host is to look, and
  uint64_t watched_ns;  // that work-groups took, over all threads, before the trial began
  uint64_t ns[2];       // of processor time in counted turns of either code, and
  uint64_t groups[2];   // work-groups that ran in these
  uint32_t turns;       // that were begun, and
  uint32_t counted[2];  // that count
  uint32_t state;       // of enum lw_trial_state
  uint32_t asks;        // whether the host is to look: launches have taken long, or the choice is made. It sets 0 first
  uint32_t reserved;
} lw_trial;

enum lw_trial_state {
  LW_TRIAL_WATCHES = 0, // there is no second code
  LW_TRIAL_TRIES = 1,
  LW_TRIAL_FIRST = 2, // was faster
  LW_TRIAL_SECOND = 3,
};

typedef struct lw_request {
  lw_group_fn function;
  uint64_t arena_bytes; // of each thread's arena
  uint64_t args_bytes;
  uint32_t grid[3]; // each at least 1; their product fits 63 bits
  uint32_t block[3];
  uint32_t dynamic_shared;
  uint32_t flags; // LW_COOPERATIVE, LW_FLUSH_DENORMALS, LW_ALONG_Y, and a number at LW_MOST_THREADS
  lw_trial *trial; // null: there is but one code. A cooperative launch runs the first.
} lw_request;

// Whether the host is to look at the trial of a request, after a launch or during one.
static inline int lw_trial_asks(const lw_request *request) {
  return request->trial != NULL && __atomic_load_n(&request->trial->asks, __ATOMIC_ACQUIRE) != 0;
}

// All work-groups are there at once, and wait for one another in grid_sync. Each has an arena and a stack of
// LW_CREW_STACK_BYTES; together they take at most LW_CREW_BYTES.
enum { LW_COOPERATIVE = 1 };
// Denormal operands and results of the processor's operations count as 0.
enum { LW_FLUSH_DENORMALS = 2 };
// Work-groups begin in the order of their y, then x, then z; otherwise x comes first.
enum { LW_ALONG_Y = 4 };
// The flags from this bit up: at most so many of the pool's threads work on a launch that is not cooperative; 0: all.
enum { LW_MOST_THREADS = 16 };
enum { LW_CREW_STACK_BYTES = 256 << 10, LW_CREW_BYTES = 1 << 30 };

enum lw_kind {
  LW_OK = 0,
  LW_TRAP = 1,
  LW_ASSERT = 2,
  LW_OUT_OF_MEMORY = 3,
  LW_CANCELLED = 4,
  LW_TEXTURE = 5, // a wrong use of a texture or surface, which `message` explains
  LW_FAULT = 6,           // the processor refused an instruction: `signal`, `address`, `access`
  LW_STACK_OVERFLOW = 7,
  LW_NOT_COOPERATIVE = 8, // grid_sync in a launch that is not cooperative
  LW_BAD_FREE = 9,        // free() of what malloc() has not given, or of what was freed before
  LW_DEADLOCK = 10,       // work-groups ended while others waited in grid_sync: how many, in `message`
  LW_STUCK = 12,          // all threads wait in loops for what nobody changes; 11 is the host's own
  LW_OVERRUN = 13,        // memory next to an array of lw_allocate was written: `address`
  LW_BARRIER = 14,        // a barrier of some warps that can't be completed or is wrong, as `message` explains
};

enum lw_access {
  LW_SOME_ACCESS = 0,
  LW_READ = 1,
  LW_WRITE = 2,
  LW_NO_ADDRESS = 3,      // none that `address` could hold
  LW_UNKNOWN_ADDRESS = 4, // another handler of the signal has passed it on without
  LW_EXECUTE = 5,         // a jump to what is no code
};

enum { LW_TEXT_BYTES = 1024 };

typedef struct lw_status {
  uint32_t kind;      // of enum lw_kind: the first failure
  uint32_t line;      // of a failed assertion, else where the work-group was, as `file` and `function`
  uint32_t block[3];  // work-group and
  uint32_t thread[3]; // work-item that failed
  uint64_t output_bytes; // of printf output, to be taken with lw_take_output
  uint64_t address;
  uint32_t signal; // SIGSEGV, SIGBUS, SIGFPE, SIGILL
  uint32_t access; // of enum lw_access
  uint32_t known;  // LW_KNOWS_... of the fields above
  uint32_t reserved;
  uint64_t instruction; // address of the one that was refused, and
  uint64_t caller;      // what may be the address that it returns to, where it is not in generated code
  char message[LW_TEXT_BYTES]; // the assertion, cut to fit, as are
  char file[LW_TEXT_BYTES];
  char function[LW_TEXT_BYTES];
} lw_status;

#define LW_EXPORT __attribute__((visibility("default")))

// A pool of `threads` threads, of which the calling one is the first; the others start at the first launch that
// has work for them. Null where memory is short. Pools are never freed.
LW_EXPORT lw_pool *lw_pool_create(uint32_t threads);

// How large the last-level caches are together, for lw_launch.stream_bytes of all pools. Before, no launch counts as
// larger.
LW_EXPORT void lw_set_cache_bytes(uint64_t bytes);

// From now on at most `threads` threads, 1 to 1024, work on a launch.
LW_EXPORT void lw_pool_set_threads(lw_pool *pool, uint32_t threads);

// Starts a launch and works on it. `args` is copied. Any number of threads may launch at once.
//   0   it has run, successfully, without output; nothing is left to do.
//   < 0 as many launches as a pool can hold have been running for about 50 ms: try again.
//   > 0 the number of the launch: it has not finished within about 50 ms, or there is a status to fetch.
//       Then call lw_resume until it returns 1, lw_status_of, lw_take_output if there is output, lw_release.
LW_EXPORT int64_t lw_start(lw_pool *pool, const lw_request *request, const void *args);

// Starts a process that works for this one unseen, as detached.c says: the program words[0], with words and variables that
// null ends, and with `socket` as its descriptor 3. Returns the number of the process; -1 if it can't be started.
LW_EXPORT int32_t lw_start_detached(char *const *words, char *const *variables, int32_t socket);

// Begins the trial of a second code, whose arena has `arena_bytes` without dynamic shared memory. It may be in use by
// launches meanwhile; it is done once for a trial.
LW_EXPORT void lw_trial_begin(lw_trial *trial, lw_group_fn second, uint64_t arena_bytes);

// Works on launch `id` for about 50 ms, or until it has ended: 1 if it has ended, else 0. A launch whose threads have
// all been waiting in loops for `patience` ns, while no other launch of the process did anything else, is ended as
// LW_STUCK; 0: never.
LW_EXPORT int32_t lw_resume(lw_pool *pool, int64_t id, uint64_t patience);

// Runs work-groups of launch `id` that have not begun by other code, with an arena of `arena_bytes`: 1 if that is done,
// 0 for a cooperative launch, or if arenas are too small. To be called between calls of lw_resume.
LW_EXPORT int32_t lw_replace_code(lw_pool *pool, int64_t id, lw_group_fn function, uint64_t arena_bytes);

// Asks launch `id`, or with id 0 all launches of the pool, to end: no further work-group starts, and those that run
// are left where they are within about 50 ms.
LW_EXPORT void lw_cancel(lw_pool *pool, int64_t id);

LW_EXPORT void lw_status_of(lw_pool *pool, int64_t id, lw_status *status);

// Copies the output, status.output_bytes long, of an ended launch.
LW_EXPORT void lw_take_output(lw_pool *pool, int64_t id, char *destination);

// Gives up an ended launch.
LW_EXPORT void lw_release(lw_pool *pool, int64_t id);

// Cancels all launches that the calling thread has started and not released, waits until no thread works on them,
// and gives them up: for a host that may lose the number of a launch, as Python does when a signal handler raises.
LW_EXPORT void lw_abandon(lw_pool *pool);

// ---- Memory between the host and kernels ------------------------------------------------------------------------

// Memory for an array, between pages that can't be accessed, as guarded.c says: it starts at a multiple of 256. Null
// where memory is short. `zeroed`: all zeros, else undefined.
LW_EXPORT void *lw_allocate(uint64_t bytes, int32_t zeroed);

// From now on generated code may read up to 1 MiB beside an array, and the host runtime tolerates writes to its slack, as
// a GPU does, whose arrays lie in pages of that size and are rounded up; writes beyond fail as ever. 0: no longer.
LW_EXPORT void lw_tolerate_strays(int32_t tolerate);

// The address of the first such read since the last call; null if there was none.
LW_EXPORT void *lw_tolerated_read(void);

// Gives the memory back. The address of a byte next to it that somebody wrote to since; null for none.
LW_EXPORT void *lw_free(void *memory);

// The byte that lw_free would tell of.
LW_EXPORT void *lw_changed_beside(void *memory);

#ifdef __cplusplus
}
#endif

#endif
