// SPDX-License-Identifier: Apache-2.0
// The host runtime: memory, programs, queues of work and events of one process, for the interfaces that stand on it
// (Python's, CUDA's, OpenCL's). It runs kernels on the threads of one pool, which the core (lanewise_rt.h) provides.
//
// Functions return LW_SUCCESS or another `enum lw_result`, and may be called by any thread, unless they say otherwise.
// In the child of a fork the runtime starts anew: no queue has work, no thread is left; memory keeps its contents.
#ifndef LANEWISE_H
#define LANEWISE_H

#include "../core/lanewise_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum lw_result {
  LW_SUCCESS = 0,
  LW_INVALID = 1,         // an argument is not what the function's comment asks for
  LW_NO_MEMORY = 2,
  LW_NOT_READY = 3,       // work has not ended yet
  LW_NO_KERNEL = 4,       // no machine code that this launch could run, or that this processor could
  LW_BAD_GEOMETRY = 5,    // the extents of a launch, or its shared memory, pass a limit
  LW_BAD_POINTER = 6,     // a pointer argument, or one end of a copy, is in no allocation
  LW_LAUNCH_FAILED = 7,   // a kernel failed: the queue's lw_status tells how
  LW_WORK_FAILED = 8,     // a function in a queue returned something else than 0
  LW_NOT_PERMITTED = 9,   // called by a function in a queue, which can't wait for queues
  LW_NO_THREAD = 10,      // the system can't start one
  LW_NOT_SUPPORTED = 11,  // on a GPU
  LW_BAD_OPTIONS = 12,    // that the compiler doesn't take
  LW_DRIVER_ERROR = 1 << 16, // and a CUresult that is added: a GPU's driver refused the call, or the GPU failed
};

// A sentence about what the calling thread's last call that did not succeed objected to; "" if nothing is known.
LW_EXPORT const char *lw_explanation(void);

// ---- The device --------------------------------------------------------------------------------------------------

// Opens the device that LANEWISE_DEVICE names: `cpu`, which is the default, or `cuda`, the first GPU of NVIDIA's driver.
// Before it is called, and where nobody does, all work is the CPU's. With a GPU, memory, images, queues and events are
// the driver's; graphs and captures give LW_NOT_SUPPORTED, and what fails on the GPU comes out as LW_DRIVER_ERROR.
// LW_INVALID for another name. Every call gives the same result.
LW_EXPORT int32_t lw_device_open(void);
LW_EXPORT int32_t lw_is_gpu(void);

// Opens the same GPU beside the CPU: for memory of LW_GPU_MEMORY, for queues and events with LW_ON_GPU, and for programs
// of the form LW_OPENCL_GPU. Other work stays the CPU's. `asked_by` says in messages who wants a GPU, and stays. Every
// call gives the same result.
LW_EXPORT int32_t lw_gpu_open(const char *asked_by);

typedef struct lw_gpu {
  char name[256];
  uint8_t uuid[16];
  uint64_t memory_bytes;
} lw_gpu;

// Of the GPU. Attributes are numbered as CUdevice_attribute and cudaDeviceAttr are.
LW_EXPORT int32_t lw_gpu_describe(lw_gpu *described);
LW_EXPORT int32_t lw_gpu_attribute(int32_t attribute, int32_t *value);
LW_EXPORT int32_t lw_gpu_memory(uint64_t *left, uint64_t *total);
struct lw_kernel_image;
// Threads that a block of a kernel has at most, for the registers that it takes.
LW_EXPORT int32_t lw_gpu_most_threads(const struct lw_kernel_image *kernel, uint32_t *most);

// ---- Memory ------------------------------------------------------------------------------------------------------

enum lw_memory_kind {
  LW_DEVICE_MEMORY = 1,
  LW_HOST_MEMORY = 2,      // pinned: kernels and the host access it
  LW_MANAGED_MEMORY = 3,   // likewise
  LW_REGISTERED_MEMORY = 4, // the host's own, made known by lw_memory_register
  LW_VARIABLE_MEMORY = 5,  // a variable of a loaded image
  LW_GPU_MEMORY = 6,       // of the GPU that lw_gpu_open has opened
};

enum { LW_ADOPTED = 1u << 31 };

typedef struct lw_allocation {
  void *address; // of its first byte
  uint64_t bytes;
  uint32_t kind;  // of enum lw_memory_kind
  uint32_t flags; // as given; the runtime looks at LW_ADOPTED alone
} lw_allocation;

// Memory that starts at a multiple of 256 and ends at a page that can't be accessed; its contents are undefined.
// `bytes` may be 0. LW_NO_MEMORY.
LW_EXPORT int32_t lw_memory_allocate(uint64_t bytes, uint32_t kind, uint32_t flags, void **address);

// Gives memory back at once; the caller has waited for the work that uses it. LW_INVALID if no allocation of this kind
// starts at `address` (kind 0: of any but variables and registered memory). LW_LAUNCH_FAILED if somebody has written
// beside it, unless that is tolerated; it is given back all the same.
LW_EXPORT int32_t lw_memory_free(void *address, uint32_t kind);

// Gives the pages of device memory back to the system, as far as nothing else is in them: its contents are undefined, its
// address stays.
LW_EXPORT void lw_memory_discard(void *address);

// Makes memory of the host known, until lw_memory_unregister. LW_INVALID if it overlaps an allocation, or is unknown.
LW_EXPORT int32_t lw_memory_register(void *address, uint64_t bytes, uint32_t kind, uint32_t flags);
LW_EXPORT int32_t lw_memory_unregister(void *address);

// Makes memory that the caller has mapped known as device memory, until lw_memory_disown, which leaves it mapped.
// LW_INVALID if it overlaps an allocation, or is unknown. lw_memory_free doesn't take it.
LW_EXPORT int32_t lw_memory_adopt(void *address, uint64_t bytes);
LW_EXPORT int32_t lw_memory_disown(void *address);

// The allocation that `address` is in, slack after its end included; 0 if there is none. Takes tens of ns.
LW_EXPORT int32_t lw_memory_find(const void *address, lw_allocation *found);

// The allocation nearest to an address that is in none; 0 if there is no allocation.
LW_EXPORT int32_t lw_memory_nearest(const void *address, lw_allocation *found);

// True if an address is in no allocation, but in one that has been freed lately.
LW_EXPORT int32_t lw_memory_was_freed(const void *address);

// The allocation with the lowest address above `address`; 0 if there is none.
LW_EXPORT int32_t lw_memory_after(const void *address, lw_allocation *found);

// Bytes in allocations of device and managed memory.
LW_EXPORT uint64_t lw_memory_used(void);

// ---- Images: the programs in an executable -----------------------------------------------------------------------

enum lw_parameter_kind { LW_VALUE = 0, LW_POINTER = 1 };

typedef struct lw_parameter {
  const char *name; // in the source; "" if unknown
  uint32_t offset;  // in the packed arguments
  uint32_t bytes;
  uint32_t kind; // of enum lw_parameter_kind
  uint32_t reserved;
} lw_parameter;

// Machine code of a kernel, for the launches that meet its conditions.
enum lw_code_flags {
  LW_CODE_SMALL_GRID = 1,      // less than 2^31 work-items along an axis, and at most 65,535 groups along y and z
  LW_CODE_FLUSH_DENORMALS = 2, // runs with LW_FLUSH_DENORMALS
  LW_CODE_TRY_LOOP = 4,        // it is in lanes, and a loop over work-items may be faster: launches are to try
  LW_CODE_TRY_LANES = 8,       // the other way round
  LW_CODE_CHOSEN = 16,         // launches of an earlier process have found it to be the faster one
  LW_CODE_INEXACT = 32,        // has fast mathematics, which code for any size may round otherwise; only of a second tier
};

typedef struct lw_code {
  lw_group_fn function;
  uint64_t arena_bytes;  // for each thread, without dynamic shared memory; plus item_bytes for each work-item of a
  uint64_t item_bytes;   // group; then rounded up to a multiple of 128
  uint32_t block[3];     // the only local size that it is for; 0, 0, 0: any
  uint32_t shared_bytes; // static shared memory; it lies in the arena
  uint32_t flags;        // of enum lw_code_flags
  uint32_t num_apart;
  const uint32_t *apart; // parameters whose memory no other pointer argument's may overlap: each in an allocation of
                         // its own
} lw_code;

typedef struct lw_kernel_image {
  const char *symbol;
  const char *name;    // in the source, with its namespaces
  const char *refusal; // why the CPU can't run it; null if it can
  const lw_parameter *parameters;
  const lw_code *codes; // those with more conditions first
  uint32_t num_parameters;
  uint32_t num_codes;
  uint32_t args_bytes;  // of the packed arguments
  uint32_t max_threads; // of __launch_bounds__; 0: none given
  uint32_t shared_bytes;
  uint32_t reserved;
} lw_kernel_image;

enum lw_variable_flags {
  LW_VARIABLE_CONSTANT = 1,
  LW_VARIABLE_MANAGED = 2,
  LW_VARIABLE_ZERO = 4,  // at first
  LW_VARIABLE_SHARED = 8 // it is another image's (lw_variables_share)
};

typedef struct lw_variable_image {
  const char *symbol;
  const char *name;
  void *address; // of the variable itself, with its initial value
  uint64_t bytes;
  uint32_t flags; // of enum lw_variable_flags
  uint32_t reserved;
} lw_variable_image;

// A place that holds the address of a managed variable, or of one that lw_variables_share may replace.
typedef struct lw_reference {
  void *place; // of 8 bytes
  uint32_t variable; // its number in the image
  uint32_t reserved;
} lw_reference;

// PTX of all kernels and variables of an image. A GPU of compute capability M.N takes that of 10 * M + N and before.
typedef struct lw_gpu_code {
  uint32_t capability; // as 80
  uint32_t only;       // 1: no newer one takes it (sm_90a)
  const char *ptx;     // null: there is none
  const char *refusal; // why it, or a kernel, is not there
} lw_gpu_code;

enum { LW_IMAGE_VERSION = 4, LW_IMAGE_ID_BYTES = 16 };

// All kernels and variables of a translation unit. A constructor of the unit's object file adds it.
typedef struct lw_image {
  uint32_t version; // LW_IMAGE_VERSION
  uint32_t num_kernels;
  uint32_t num_variables;
  uint32_t num_references;
  uint8_t id[LW_IMAGE_ID_BYTES];
  const char *source;   // its name
  const char *features; // of the processor that the code was made for, as "avx2,fma,...": all must be there
  const lw_kernel_image *kernels;
  lw_variable_image *variables;
  const lw_reference *references;
  const void *ir; // what cuda/objects/packed_ir.py makes of the unit's kernel IR; null where it wasn't kept
  uint64_t ir_bytes;
  uint32_t num_gpu_codes;
  uint32_t reserved;
  const lw_gpu_code *gpu_codes;
} lw_image;

// Images stay where they are until they are removed, as a library's are when it is unloaded. Variables become known as
// LW_VARIABLE_MEMORY. LW_INVALID for another version.
LW_EXPORT int32_t lw_image_add(const lw_image *image);
LW_EXPORT void lw_image_remove(const lw_image *image);

// The number of pairs of a kernel and a block size, among those launched of images that are still there, whose later
// launches may run by other code than earlier ones: code for the size is there after 100 ms of running time at the
// earliest, and launches may try two mappings. Any thread may ask at any time.
LW_EXPORT uint32_t lw_unsettled_count(void);

// Null if there is none.
LW_EXPORT const lw_image *lw_image_find(const uint8_t id[LW_IMAGE_ID_BYTES]);
LW_EXPORT const lw_kernel_image *lw_image_kernel(const lw_image *image, const char *symbol);
LW_EXPORT const lw_variable_image *lw_image_variable(const lw_image *image, const char *symbol);

// The variable's memory: on the CPU the image's own, on a GPU that of the driver's module.
LW_EXPORT int32_t lw_variable_address(const lw_image *image, const lw_variable_image *variable, void **address);

// Moves a managed variable to `address`, memory of the host's own and of the variable's size, before anything is
// launched: its value is copied, and kernels use it there. LW_INVALID if the image has no such managed variable.
LW_EXPORT int32_t lw_variable_move(const lw_image *image, const char *symbol, void *address);

// Has the kernels of a loaded image use the variables of `owner` in place of its own, by their names: both are code of one
// program. Nothing of the image has been launched. LW_INVALID, and nothing is changed, if the
// owner lacks a variable that isn't constant.
LW_EXPORT int32_t lw_variables_share(const lw_image *image, const lw_image *owner);

// Gives managed variables, or all others, the values again that they had when their images were added. No work is under
// way. On a GPU the images' PTX is loaded anew when it is next used.
LW_EXPORT void lw_variables_restore(int32_t managed);

// Compiles PTX, which ends with a NUL, by the compile service, for any block size, and adds its image. LW_INVALID with
// the compiler's words for PTX that has no code, LW_NO_KERNEL without a service, LW_NOT_SUPPORTED on a GPU.
// lw_library_close takes what it gave; nothing of the image is used any more.
struct lw_library;
LW_EXPORT int32_t lw_ptx_open(const char *ptx, const lw_image **image, struct lw_library **library);
LW_EXPORT void lw_library_close(const lw_image *image, struct lw_library *library);

typedef struct lw_text {
  const char *data;
  uint64_t bytes;
} lw_text;

// The build that the compile service of programs in OpenCL C must be of: the OpenCL platform's, where it is linked in.
extern const char lw_opencl_build[];

// Forms of a program in OpenCL C. In the general one, kernels have seven more parameters of 8 bytes: the offset and the
// global size along x, y and z, and the number of dimensions. It is for launches with an offset, or with smaller groups
// at the end of a range. The simulated one comes by way of PTX, as for a GPU. Code of both may assume that a launch is
// usual: its grid isn't large, and its arrays don't overlap. Launches for which there is none (LW_NO_KERNEL) ask for
// code of their kernel that takes any launch. The GPU's is PTX, which the driver has loaded.
enum lw_opencl_form {
  LW_OPENCL_GENERAL = 1,
  LW_OPENCL_SIMULATED = 2,
  LW_OPENCL_GPU = 4,   // of the GPU that lw_gpu_open has opened
  LW_OPENCL_FORMS = 6, // the general one or not, of the CPU, of the simulated GPU or of the GPU
  LW_OPENCL_ANY_LAUNCH = 8,
};

// The same for a program in OpenCL C, or, if it is linked, one that lw_opencl_make has made, in a form, a sum of the
// numbers above. `known`, unless null, names a kernel, the only one that there is then, and tells of its
// images (cuda/service/known_images.py). `description` gets what
// cuda/service/opencl_programs.py says of the kernels, or, of a program that is refused, the build log; else null. The
// caller frees it. `whole`, unless null, gets the program with the files that it has included, which the caller frees:
// opened in place of `program`, with the same options, it gives code of the same contents anywhere. It is {NULL, 0} for
// one that includes nothing, or has its files with it, or isn't compiled. LW_INVALID for a program that is refused,
// LW_BAD_OPTIONS where it is the options.
LW_EXPORT int32_t lw_opencl_open(lw_text program, int32_t linked, const char *options, uint32_t form,
                                 const char *known, const lw_image **image, struct lw_library **library,
                                 char **description, lw_text *whole);

// Compiles a part of a program in OpenCL C, `texts` being the source and the names and texts of headers, or links
// `texts` that this has made, as a whole program or as a library. `made` is a file's contents, which the caller frees,
// `log` as `description` above.
enum lw_opencl_work { LW_OPENCL_COMPILE = 0, LW_OPENCL_LINK = 1, LW_OPENCL_LINK_LIBRARY = 2 };
LW_EXPORT int32_t lw_opencl_make(int32_t work, const char *options, const lw_text *texts, uint64_t num_texts,
                                 lw_text *made, char **log);

// ---- Queues ------------------------------------------------------------------------------------------------------
//
// A queue runs work in order: CUDA's stream. Its thread starts with its first work. A thread that waits for a queue may
// do the queue's work itself. The default queue is CUDA's legacy default stream: its work starts after all earlier work
// of blocking queues, and their later work after it.
//
// Work that fails stops its queue: later work is dropped until the failure is taken. So is the work of queues that wait
// for it by an event. All of that is decided when work starts, never while it is added.

typedef struct lw_queue lw_queue;
typedef struct lw_event lw_event;

// LW_ON_GPU: a stream of the driver, on the GPU that lw_gpu_open has opened, without graphs and captures. Its copies are
// between that GPU's memory and the host's.
// LW_WAITED_FOR: each thread that adds work waits for the queue next, and does the work itself. The queue has no thread,
// which would be woken for nothing: that takes longer than many launches.
enum lw_queue_flags { LW_NON_BLOCKING = 1, LW_ON_GPU = 2, LW_WAITED_FOR = 4 };

LW_EXPORT int32_t lw_queue_create(uint32_t flags, int32_t priority, lw_queue **queue);

// Its work is still done, and threads that wait for it already go on waiting. A capture that began in it is over.
LW_EXPORT void lw_queue_destroy(lw_queue *queue);

LW_EXPORT lw_queue *lw_default_queue(void);
LW_EXPORT uint32_t lw_queue_flags_of(const lw_queue *queue);
LW_EXPORT int32_t lw_queue_priority(const lw_queue *queue);

// One launch. `args` is packed, as the kernel's parameters say.
typedef struct lw_kernel_launch {
  const lw_kernel_image *kernel;
  const void *args;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamic_shared;
  uint32_t flags; // LW_COOPERATIVE, LW_ALONG_Y, LW_OPENCL_LIMITS, and a number at LW_MOST_THREADS
  const uint64_t *extents; // null, or, for checks, the bytes of the array behind each parameter; 0: that of the
                           // allocation that it is in
} lw_kernel_launch;

// The limits of a launch are OpenCL's: 8,192 work-items of a group, and 2^31 - 1 groups along each axis.
enum { LW_OPENCL_LIMITS = 1 << 8 };

// Checks the launch and adds it; `args` is copied. LW_NO_KERNEL, LW_BAD_GEOMETRY; LW_BAD_POINTER for a pointer argument
// that is neither null nor in an allocation, unless lw_allow_host_pointers(1) was called.
LW_EXPORT int32_t lw_queue_launch(lw_queue *queue, const lw_kernel_launch *launch);
LW_EXPORT void lw_allow_host_pointers(int32_t allow);

// Rows of bytes in planes: a copy or a fill of up to three dimensions. For one: {bytes, 1, 1}.
typedef struct lw_box {
  uint64_t bytes, rows, planes;
} lw_box;
typedef struct lw_pitch {
  uint64_t row, plane; // bytes from one to the next
} lw_pitch;

// The caller has checked both ends. Source and target may overlap only if there is one row.
LW_EXPORT int32_t lw_queue_copy(lw_queue *queue, void *target, lw_pitch target_pitch, const void *source,
                                lw_pitch source_pitch, lw_box box);
// Repeats the 1, 2 or 4 lowest bytes of `value`.
LW_EXPORT int32_t lw_queue_fill(lw_queue *queue, void *target, lw_pitch pitch, uint32_t value, uint32_t value_bytes,
                                lw_box box);

// Adds a call of `function(data)`, which must not wait for queues. What it returns other than 0 fails the queue. If
// the work is dropped, `dropped(data)` is called in its place, unless null; in a graph, by each launch of it.
typedef int32_t (*lw_host_function)(void *data);
LW_EXPORT int32_t lw_queue_call(lw_queue *queue, lw_host_function function, void (*dropped)(void *data), void *data);

// Waits until all present work is done. LW_LAUNCH_FAILED or LW_WORK_FAILED if it, or earlier work, has failed.
LW_EXPORT int32_t lw_queue_synchronize(lw_queue *queue);
LW_EXPORT int32_t lw_synchronize(void); // all queues

// True if no queue has work that is not done; on a GPU always false.
LW_EXPORT int32_t lw_is_idle(void);

// LW_NOT_READY if there is work.
LW_EXPORT int32_t lw_queue_query(lw_queue *queue);

// The failure that stopped the queue; LW_SUCCESS if there is none. `status` may be null. `kernel` gets the name of the
// kernel that failed, or null.
LW_EXPORT int32_t lw_queue_failure(lw_queue *queue, lw_status *status, const char **kernel, int32_t *returned);
// Lets the queue go on.
LW_EXPORT void lw_queue_clear_failure(lw_queue *queue);

// Called once after each launch that failed, in the thread that ran it, before any waiting thread goes on.
typedef void (*lw_failure_hook)(lw_queue *queue, const lw_kernel_launch *launch, const lw_status *status);
LW_EXPORT void lw_set_failure_hook(lw_failure_hook hook);

// Likewise after a launch that has read beside an array, or written to its slack, where lw_tolerate_strays allows it:
// `status` has the address and the access.
LW_EXPORT void lw_set_stray_hook(lw_failure_hook hook);

// The text that kernels have printed since the last call and that belongs to work that is done goes to file descriptor
// `descriptor`, whole records in order.
LW_EXPORT void lw_flush_output(int32_t descriptor);
LW_EXPORT uint64_t lw_printed_bytes(void); // that wait to be written

// Counts a fault that a call has found, under LANEWISE_CHECK, so that the program doesn't end as a success. `rule` is one
// of program/checked/rules.py; `what` tells more, without quotes. The caller tells the user.
LW_EXPORT void lw_check_found(const char *rule, const char *what);

// ---- Events ------------------------------------------------------------------------------------------------------

enum lw_event_flags { LW_NO_TIMING = 1 }; // and LW_ON_GPU, for queues that are

LW_EXPORT int32_t lw_event_create(uint32_t flags, lw_event **event);
LW_EXPORT void lw_event_destroy(lw_event *event); // waits of queues for it stay

// Marks the end of the queue's present work; takes the event away from where it was recorded before.
LW_EXPORT int32_t lw_event_record(lw_event *event, lw_queue *queue);

// Further work of the queue starts after the work before the event, as it is recorded now. Never recorded: no effect.
LW_EXPORT int32_t lw_queue_wait(lw_queue *queue, lw_event *event);

LW_EXPORT int32_t lw_event_synchronize(lw_event *event);
LW_EXPORT int32_t lw_event_query(lw_event *event); // LW_NOT_READY; never recorded: LW_SUCCESS
// Milliseconds between two recorded events. LW_INVALID if one was never recorded, has no timing, or was not reached
// before a fork; LW_NOT_READY.
LW_EXPORT int32_t lw_event_elapsed(float *milliseconds, lw_event *start, lw_event *end);

// ---- Graphs ------------------------------------------------------------------------------------------------------
//
// A queue that is captured records its work into a graph instead of doing it, and so does one that waits for an event
// recorded in a captured queue. An instance of a graph is launched as one piece of work; its nodes run in an order that
// their dependencies allow.

typedef struct lw_graph lw_graph;

// LW_INVALID if it is captured already.
LW_EXPORT int32_t lw_capture_begin(lw_queue *queue);
// LW_INVALID if no capture began here, or a queue takes part that this one has not waited for: the capture is over.
LW_EXPORT int32_t lw_capture_end(lw_queue *queue, lw_graph **graph);
LW_EXPORT int32_t lw_is_captured(const lw_queue *queue);

LW_EXPORT int32_t lw_graph_create(lw_graph **graph);
LW_EXPORT void lw_graph_destroy(lw_graph *graph); // launches of it stay
LW_EXPORT uint64_t lw_graph_size(const lw_graph *graph);
// A graph of its own with the same nodes, to which more may be added.
LW_EXPORT int32_t lw_graph_copy(const lw_graph *graph, lw_graph **copy);

// Nodes added one by one, numbered from 0; `after` are numbers of earlier nodes.
LW_EXPORT int32_t lw_graph_add_launch(lw_graph *graph, const lw_kernel_launch *launch, const uint64_t *after,
                                      uint64_t num_after, uint64_t *node);
LW_EXPORT int32_t lw_graph_add_copy(lw_graph *graph, void *target, lw_pitch target_pitch, const void *source,
                                    lw_pitch source_pitch, lw_box box, const uint64_t *after, uint64_t num_after,
                                    uint64_t *node);
LW_EXPORT int32_t lw_graph_add_fill(lw_graph *graph, void *target, lw_pitch pitch, uint32_t value,
                                    uint32_t value_bytes, lw_box box, const uint64_t *after, uint64_t num_after,
                                    uint64_t *node);
LW_EXPORT int32_t lw_graph_add_call(lw_graph *graph, lw_host_function function, void *data, const uint64_t *after,
                                    uint64_t num_after, uint64_t *node);
// A node that runs one of its graphs, or none, as the number at `value` says then: LW_IF the first unless it is 0, and
// the second, if there is one, for 0; LW_WHILE its only one as long as it isn't 0; LW_SWITCH the one with this number.
// The node keeps the graphs. LW_INVALID for another number of graphs.
enum lw_choice { LW_IF = 0, LW_WHILE = 1, LW_SWITCH = 2 };
LW_EXPORT int32_t lw_graph_add_choice(lw_graph *graph, const uint32_t *value, uint32_t kind, lw_graph *const *bodies,
                                      uint32_t num_bodies, const uint64_t *after, uint64_t num_after, uint64_t *node);
LW_EXPORT int32_t lw_graph_launch(const lw_graph *graph, lw_queue *queue);

// ---- The pool ----------------------------------------------------------------------------------------------------

// Threads that work on launches: as many as the process may use processors, or as LANEWISE_NUM_THREADS says.
LW_EXPORT uint32_t lw_num_threads(void);
LW_EXPORT int32_t lw_set_num_threads(uint32_t threads);

#ifdef __cplusplus
}
#endif

#endif
