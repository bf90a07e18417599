// SPDX-License-Identifier: Apache-2.0
// What contexts, queues, memory objects, programs, kernels and events consist of.
#ifndef LANEWISE_OPENCL_TYPES_H
#define LANEWISE_OPENCL_TYPES_H

#include "../../runtime/core/texture.h"
#include "objects.h"

namespace lw_opencl {

struct Platform {
  const void *dispatch;
  void *loader_data; // as Object has it
};

struct DeviceKind; // devices.h

struct Device : Object {
  const DeviceKind *kind;
  Device *parent;                // of a sub-device, which has its kind; else null
  cl_uint threads;               // of a sub-device, or the multiprocessors of a GPU
  List<cl_properties> partition; // by which it was made

  void finish();
};
extern Platform the_platform;

// Whether one of them is the device, or it is a part of one.
bool cover(const List<Device *> &devices, const Device *device);

// Sub-devices are counted, others are not.
void use_device(Device *device);
void drop_device(Device *device);
cl_uint threads_of(const Device *device);

// Properties in which sub-devices differ; `is_known`: whether it is one of them.
cl_int partition_info(const Device *device, cl_enum what, const Answer &answer, bool &is_known);

enum : size_t { MOST_WORK_ITEMS = 8192, USUAL_SUB_GROUP_SIZE = 32 };

// Of the device: see platform.cpp.
uint64_t most_bytes_of_buffer(const Device *device);
cl_int devices_of_type(cl_bitfield type, cl_uint room, cl_device_id *devices, cl_uint *count);

struct ContextCallback {
  void (*notify)(cl_context, void *);
  void *data;
};

struct Context : Object {
  List<Device *> devices;
  cl_context_notify notify;
  void *data;
  List<cl_properties> properties; // as given, the 0 at the end included; empty: null was given
  List<ContextCallback> at_end;   // the last one is called first
  pthread_mutex_t lock;           // of at_end
  bool is_on_gpu;                 // a GPU with a driver is its only device, and has the contents of its buffers
  bool has_copies_on_gpu;         // such a GPU is one of several devices: see copies_on_gpu.cpp

  bool has(Device *device) const { return devices.has(device); }
  void finish();
};

// Its commands are guarded by the scheduler's lock.
struct Queue : Object {
  Context *context;
  Device *device;
  cl_bitfield flags;
  List<cl_properties> properties; // as given
  Event *first, *last;            // of the commands that aren't complete, in the order in which they came
  Event *barrier;                 // the last one that later commands wait for
  uint64_t last_ended;            // ns; of a queue in order, by the GPU's times: set by the thread that runs its command
  bool is_out_of_order() const { return flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE; }
  bool takes_times() const { return flags & CL_QUEUE_PROFILING_ENABLE; }

  void finish();
};

struct MemoryCallback {
  void (*notify)(cl_mem, void *);
  void *data;
};

struct Mapping {
  char *address;
  size_t bytes;
  cl_bitfield flags;
};

// What an image has beside its memory: what kernels read, and what it was created with.
struct Picture {
  lw_texture description;
  cl_enum type;
  cl_image_format format;
  size_t width, height, depth, layers; // 0 where the type has none
  size_t row, slice;                   // bytes from one to the next; a slice of 0: the type has none

  bool has_layers() const { return layers != 0; }
  bool is_array_of_rows() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
};

struct Memory : Object {
  Context *context;
  cl_bitfield flags;
  size_t bytes;
  char *data;
  void *host; // of CL_MEM_USE_HOST_PTR
  char *gpu_data;                          // of an object without a parent: see residence.cpp
  bool is_fresh_on_gpu, is_stale_on_host;  // guarded by its lock, as is the memory they speak of
  char *driver_data;                       // likewise: see gpu_commands.cpp
  bool is_fresh_on_driver;                 // likewise: see copies_on_gpu.cpp
  pthread_mutex_t moving;                  // of an object without a parent: held while its contents are copied
  List<Mapping> written_by_host;           // guarded by `moving`: maps for writing, of it and its parts
  Memory *parent;
  size_t origin;     // in the parent
  Picture *picture;  // of an image; null: a buffer
  bool is_allocated; // by us
  bool is_registered;
  List<cl_properties> properties;
  pthread_mutex_t lock;
  List<Mapping> mappings;
  List<MemoryCallback> at_end; // the last one is called first

  void finish();
};

struct Sampler : Object {
  Context *context;
  cl_bool is_normalized;
  cl_enum address, filter;
  List<cl_properties> properties; // as given

  uint64_t bits() const; // as kernels have it
  void finish();
};

// What the source says of a kernel's argument.
struct Argument {
  const char *name, *type, *kind, *address, *access, *qualifiers;
  uint32_t bytes, offset;
};

struct KernelText {
  const char *name, *symbol, *attributes;
  uint32_t local[3]; // the only local size that is allowed; 0, 0, 0: any
  uint32_t most_items, local_bytes;
  bool asks_dimensions;
  uint32_t sub_group_size; // of full sub-groups
  bool requires_sub_group_size;
  bool is_later;   // is compiled when it is launched: image_variants.h
  bool takes_images; // or samplers
  bool is_uniform; // its local sizes divide global ones
  bool sees_groups; // may depend on their sizes
  bool goes_along_y; // a local size that nobody names is to be long along y
  List<Argument> arguments;
};

// A program, or a part of one: OpenCL C, or the LLVM IR that the compile service has made of it.
struct Code {
  char *data; // null: none
  size_t bytes;
  bool is_ir;
};

// Machine code of a program.
struct Form {
  const lw_image *image; // null: there is none yet
  lw_library *library;
  bool failed;
};

// Code of a kernel with images, by what the compile service was told of these.
struct Variant {
  uint32_t form;
  char *told;
  Form code;
};

// A built program. It stays as long as a kernel of it is there.
struct Build {
  uint32_t uses;
  char *text; // which names point into
  char *log;
  List<KernelText> kernels;
  size_t global_bytes;  // of variables
  pthread_mutex_t lock; // of forms and variants
  Form forms[LW_OPENCL_FORMS];
  List<Variant> variants;
  Code code; // with the files that it includes, once there is machine code
  char *options;
  List<Device *> devices; // that it was made for
  pthread_mutex_t log_lock;
  char *later_log; // of kernels that couldn't be compiled when they were launched; null if there is none
};

struct Program : Object {
  Context *context;
  Code source; // of clCreateProgramWithSource
  Code code;   // of a binary, or compiled or linked
  Code il;     // of clCreateProgramWithIL: SPIR-V
  Code specialized; // the same with the values of specialization constants, in this machine's order of bytes
  cl_enum type; // of the binary that it gives
  bool is_binary;
  List<Device *> devices_of_binaries; // those that binaries were given for; empty: no binaries
  pthread_mutex_t lock;
  List<Device *> made_for; // those that it was last built, compiled or linked for; empty: all of devices()
  cl_int status;
  char *options, *log;
  char *binary_options; // those that a binary was built with; null for a program that is none
  Build *build;
  uint32_t num_kernels; // kernel objects that are there: the program can't be built again

  const List<Device *> &devices() const { return devices_of_binaries.count ? devices_of_binaries : context->devices; }
  void finish();
};

struct Kernel : Object {
  Program *program;
  Build *build;
  const KernelText *text;
  const lw_kernel_image *images[LW_OPENCL_FORMS]; // in the forms that the program was built in
  const lw_kernel_image *own[LW_OPENCL_FORMS];    // that is compiled for it alone, once a launch has asked: find_own
  pthread_mutex_t lock;
  char *packed; // arguments as the kernel takes them
  size_t packed_bytes;
  bool *is_set;        // by argument
  bool *is_host_pointer; // by argument: set by clSetKernelArgSVMPointer
  Memory **memories;   // by argument; the kernel doesn't keep them, unless:
  bool keeps_memories; // a copy that a command of a command buffer has
  List<Memory *> kept; // all that were arguments of such a copy, one by one
  size_t *local_bytes; // by argument

  void finish();
};

// What a command does. `run` gives CL_COMPLETE, or a negative code; `release` gives back what it holds, itself
// included.
struct Work {
  cl_int (*run)(Work *work, Event *event);
  void (*release)(Work *work);
};

struct EventCallback {
  cl_int at;
  void (*notify)(cl_event, cl_int, void *);
  void *data;
};

// A command that waits for another. It fails with it if that is in its wait list.
struct Follower {
  Event *event;
  bool fails_with;
};

// A command, or a user's event. Guarded by the scheduler's lock, but for `status`, which may be read without.
struct Event : Object {
  Context *context;
  Queue *queue; // null: a user's
  cl_enum type;
  cl_int status;
  Work *work;
  uint32_t waits_for; // commands that aren't complete
  bool wait_failed;   // a command of its wait list has failed
  bool is_started;    // a stream of a GPU has it, behind the one that it waits for
  List<Follower> followers;
  List<EventCallback> callbacks;
  Event *before, *after; // among those of the queue that aren't complete
  Event *next_ready;
  uint64_t queued, submitted, started, ended;

  void finish();
};

struct Plan; // command_buffers.h

// Commands to enqueue as one; a null one is a barrier.
struct CommandBuffer : Object {
  Context *context;
  Queue *queue;
  List<cl_properties> properties; // as given
  bool may_overlap;               // with itself
  bool is_mutable;
  cl_bitfield asserts;
  pthread_mutex_t lock;    // of what is recorded, and of its mutable commands
  pthread_mutex_t running; // held by the one execution that there may be, unless they may overlap
  List<Work *> commands;
  List<MutableCommand *> mutables;
  size_t num_incomplete; // of these, lack arguments
  Plan *plan;            // of a finalised one; else null

  void finish();
};

// A range of work-items as a program gives it; what it leaves out is 0.
struct GivenRange {
  cl_uint dimensions;
  size_t offset[3], size[3], local[3];
  bool has_local;
};

// A launch in a command buffer, to be changed or asked by its handle. It lasts as long as the command buffer, which it
// doesn't keep.
struct MutableCommand : Object {
  CommandBuffer *buffer;
  size_t index;                   // among the commands
  Kernel *recorded;               // the program's own
  Kernel *kernel;                 // a copy, which has this command's arguments
  GivenRange range;
  bool is_complete;               // all arguments are set
  List<cl_properties> properties; // as given
  cl_bitfield fields;             // that may be changed

  void finish();
};

} // namespace lw_opencl

#endif
