// SPDX-License-Identifier: Apache-2.0
// Changes of launches in command buffers. Each gives the command buffer a plan of its own: executions that have been
// enqueued before keep theirs.
#include "mutable_commands.h"
#include "image_variants.h"
#include "kernel.h"
#include "launch.h"

namespace lw_opencl {

void MutableCommand::finish() {
  if (kernel)
    release(kernel, CL_INVALID_KERNEL);
  if (recorded)
    drop(recorded);
  properties.release();
}

// ---- Recording -----------------------------------------------------------------------------------------------

cl_int require_each_once(const cl_properties *given) {
  for (const cl_properties *at = given; at && *at; at += 2)
    for (const cl_properties *other = given; other != at; other += 2)
      REQUIRE(*at != *other, CL_INVALID_VALUE, "property 0x%llx is given twice", static_cast<unsigned long long>(*at));
  return CL_SUCCESS;
}

cl_int read_asserts(cl_properties given, cl_bitfield &asserts) {
  asserts = static_cast<cl_bitfield>(given);
  REQUIRE(!(asserts & ~CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR), CL_INVALID_VALUE,
          "assertions of 0x%llx, which aren't defined", static_cast<unsigned long long>(asserts));
  return CL_SUCCESS;
}

// Reads the properties of a launch: the fields that may be changed, all of them if they say nothing of these, and if
// they name the arguments.
static cl_int read_launch_properties(const Recorded &given, bool has_local, cl_bitfield &fields, bool &may_lack_arguments) {
  cl_bitfield asserts = given.buffer->asserts;
  fields = ALL_DISPATCH_FIELDS;
  may_lack_arguments = false;
  REQUIRE_SUCCESS(require_each_once(given.properties));
  for (const cl_properties *at = given.properties; at && *at; at += 2) {
    REQUIRE(at[0] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR || at[0] == CL_MUTABLE_DISPATCH_ASSERTS_KHR,
            CL_INVALID_VALUE, "launches have no property 0x%llx", static_cast<unsigned long long>(at[0]));
    if (at[0] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR) {
      fields = static_cast<cl_bitfield>(at[1]);
      may_lack_arguments = given.buffer->is_mutable && fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
      REQUIRE(!(fields & ~ALL_DISPATCH_FIELDS), CL_INVALID_OPERATION, "fields of 0x%llx can't be changed",
              static_cast<unsigned long long>(fields));
    } else {
      cl_bitfield more;
      REQUIRE_SUCCESS(read_asserts(at[1], more));
      asserts |= more;
    }
  }
  REQUIRE(!(asserts & CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR) || has_local, CL_INVALID_VALUE,
          "a launch that asserts how many work-groups there will be names their size");
  return CL_SUCCESS;
}

static GivenRange range_of(cl_uint dimensions, const size_t *offset, const size_t *size, const size_t *local) {
  GivenRange range = {};
  range.dimensions = dimensions;
  range.has_local = local != nullptr;
  for (cl_uint axis = 0; axis < dimensions; ++axis) {
    range.offset[axis] = offset ? offset[axis] : 0;
    range.size[axis] = size ? size[axis] : 0;
    range.local[axis] = local ? local[axis] : 0;
  }
  return range;
}

static cl_int keep_properties(const cl_properties *given, List<cl_properties> &kept) {
  for (const cl_properties *at = given; at && *at; at += 2)
    REQUIRE(kept.add(at[0]) && kept.add(at[1]), CL_OUT_OF_HOST_MEMORY, "no memory for properties");
  REQUIRE(!given || kept.add(0), CL_OUT_OF_HOST_MEMORY, "no memory for properties");
  return CL_SUCCESS;
}

static cl_int make_command(const Recorded &given, Kernel *kernel, cl_bitfield fields, MutableCommand *&made) {
  made = created<MutableCommand>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many mutable commands");
  made->buffer = given.buffer;
  made->fields = fields;
  made->recorded = use(kernel);
  cl_int result = copy_for_command(kernel, made->kernel);
  return result == CL_SUCCESS ? keep_properties(given.properties, made->properties) : result;
}

// Records the launch of a command, or a barrier in place of one that lacks arguments.
static cl_int add_command(const Recorded &given, MutableCommand *command, Work *launch) {
  REQUIRE_SUCCESS(record({given.buffer, given.count, given.after, given.sync_point}, launch, command));
  *given.handle = command;
  return CL_SUCCESS;
}

cl_int record_launch(const Recorded &given, Kernel *kernel, cl_uint dimensions, const size_t *offset, const size_t *size,
                     const size_t *local) {
  REQUIRE_SUCCESS(require_recorded(given));
  cl_bitfield fields;
  bool may_lack_arguments, lacks = false;
  REQUIRE_SUCCESS(read_launch_properties(given, local != nullptr, fields, may_lack_arguments));
  Work *launch;
  REQUIRE_SUCCESS(make_launch(given.buffer->queue, kernel, dimensions, offset, size, local, launch,
                              may_lack_arguments && given.handle ? &lacks : nullptr));
  if (!given.handle)
    return record({given.buffer, given.count, given.after, given.sync_point}, launch);
  MutableCommand *command;
  cl_int result = make_command(given, kernel, fields, command);
  if (result != CL_SUCCESS) {
    if (launch)
      launch->release(launch);
  } else {
    command->range = range_of(dimensions, offset, size, local);
    command->is_complete = !lacks;
    result = add_command(given, command, launch);
  }
  if (result != CL_SUCCESS && command)
    release(command, CL_INVALID_MUTABLE_COMMAND_KHR);
  return result;
}

// ---- Changes -------------------------------------------------------------------------------------------------

// A command's next state.
struct Change {
  MutableCommand *command;
  Kernel *kernel;
  GivenRange range;
  Work *launch;
  bool lacks;
};

// The change of a command, as it is after the changes before it.
static cl_int change_of(MutableCommand *command, List<Change> &changes, Change *&found) {
  for (Change &each : changes)
    if (each.command == command) {
      found = &each;
      return CL_SUCCESS;
    }
  Kernel *kernel = nullptr;
  cl_int result = copy_for_command(command->kernel, kernel);
  if (result == CL_SUCCESS && !changes.add({command, kernel, command->range, nullptr, false}))
    result = fail(CL_OUT_OF_HOST_MEMORY, "no memory for a change");
  if (result != CL_SUCCESS && kernel)
    release(kernel, CL_INVALID_KERNEL);
  found = result == CL_SUCCESS ? &changes[changes.count - 1] : nullptr;
  return result;
}

static bool is_uniform(const GivenRange &range) {
  bool divides = true;
  for (cl_uint axis = 0; range.has_local && axis < range.dimensions; ++axis)
    divides &= range.local[axis] && range.size[axis] % range.local[axis] == 0;
  return divides;
}

static cl_int require_list(const void *list, cl_uint count, const char *what) {
  REQUIRE(!list == !count, CL_INVALID_VALUE, "%u %s at %p", count, what, list);
  return CL_SUCCESS;
}

static cl_int require_fields(const cl_mutable_dispatch_config &given, cl_bitfield fields) {
  cl_bitfield asked = 0;
  asked |= given.global_work_offset ? CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR : 0;
  asked |= given.global_work_size ? CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR : 0;
  asked |= given.local_work_size ? CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR : 0;
  asked |= given.num_args || given.num_svm_args ? CL_MUTABLE_DISPATCH_ARGUMENTS_KHR : 0;
  asked |= given.num_exec_infos ? CL_MUTABLE_DISPATCH_EXEC_INFO_KHR : 0;
  REQUIRE(!(asked & ~fields), CL_INVALID_OPERATION, "fields of 0x%llx of a launch are to change; it allows 0x%llx",
          static_cast<unsigned long long>(asked), static_cast<unsigned long long>(fields));
  REQUIRE_SUCCESS(require_list(given.arg_list, given.num_args, "arguments"));
  REQUIRE_SUCCESS(require_list(given.arg_svm_list, given.num_svm_args, "pointers of the host"));
  return require_list(given.exec_info_list, given.num_exec_infos, "pieces of information");
}

static cl_int change_arguments(const cl_mutable_dispatch_config &given, Kernel *kernel) {
  for (cl_uint i = 0; i < given.num_args; ++i)
    REQUIRE_SUCCESS(set_argument(kernel, given.arg_list[i].arg_index, given.arg_list[i].arg_size,
                                 given.arg_list[i].arg_value));
  for (cl_uint i = 0; i < given.num_svm_args; ++i)
    REQUIRE_SUCCESS(set_pointer(kernel, given.arg_svm_list[i].arg_index, given.arg_svm_list[i].arg_value));
  for (cl_uint i = 0; i < given.num_exec_infos; ++i)
    REQUIRE_SUCCESS(set_exec_info(kernel, given.exec_info_list[i].param_name, given.exec_info_list[i].param_value_size,
                                  given.exec_info_list[i].param_value));
  return CL_SUCCESS;
}

static cl_int change_range(const cl_mutable_dispatch_config &given, GivenRange &range) {
  REQUIRE(!given.work_dim || given.work_dim == range.dimensions, CL_INVALID_OPERATION,
          "a launch of %u dimensions can't have %u", range.dimensions, given.work_dim);
  for (cl_uint axis = 0; axis < range.dimensions; ++axis) {
    range.offset[axis] = given.global_work_offset ? given.global_work_offset[axis] : range.offset[axis];
    range.size[axis] = given.global_work_size ? given.global_work_size[axis] : range.size[axis];
    range.local[axis] = given.local_work_size ? given.local_work_size[axis] : range.local[axis];
    REQUIRE(!given.local_work_size || range.local[axis], CL_INVALID_WORK_GROUP_SIZE, "a local size of 0");
  }
  range.has_local |= given.local_work_size != nullptr;
  return CL_SUCCESS;
}

static cl_int read_change(const CommandBuffer *buffer, const cl_mutable_dispatch_config &given, List<Change> &changes) {
  REQUIRE(lives(given.command) && given.command->buffer == buffer, CL_INVALID_MUTABLE_COMMAND_KHR,
          "%p is no mutable command of the command buffer", static_cast<const void *>(given.command));
  REQUIRE_SUCCESS(require_fields(given, given.command->fields));
  Change *change;
  REQUIRE_SUCCESS(change_of(given.command, changes, change));
  REQUIRE_SUCCESS(change_range(given, change->range));
  return change_arguments(given, change->kernel);
}

static cl_int require_same_uniformity(const Change &change) {
  bool was_uniform = is_uniform(change.command->range);
  REQUIRE(is_uniform(change.range) == was_uniform, CL_INVALID_OPERATION,
          "work-groups were%s all of one size, and now are%s", was_uniform ? "" : " not", was_uniform ? " not" : "");
  return CL_SUCCESS;
}

// All that an update makes or replaces, to be released without the lock.
struct Update {
  List<Change> changes;
  List<Work *> commands, replaced;
  List<Memory *> dropped;
  Plan *before;

  void release() {
    drop_plan(before);
    for (Change &each : changes) {
      lw_opencl::release(each.kernel, CL_INVALID_KERNEL);
      if (each.launch)
        each.launch->release(each.launch);
    }
    for (Memory *each : dropped)
      drop(each);
    dropped.release();
    changes.release();
    commands.release();
    replaced.release();
  }
};

// Makes the launches, and has the buffer's plan take them over. The last step is the only one that changes anything.
static cl_int apply(CommandBuffer *buffer, Update &update) {
  List<Work *> &commands = update.commands, &replaced = update.replaced;
  REQUIRE(commands.add_all(buffer->commands), CL_OUT_OF_HOST_MEMORY, "no memory for commands");
  size_t incomplete = buffer->num_incomplete;
  for (Change &each : update.changes) {
    const GivenRange &range = each.range;
    REQUIRE_SUCCESS(require_same_uniformity(each));
    REQUIRE_SUCCESS(make_launch(buffer->queue, each.kernel, range.dimensions, range.offset, range.size,
                                range.has_local ? range.local : nullptr, each.launch, &each.lacks));
    incomplete -= !each.command->is_complete;
    incomplete += each.lacks;
    Work *&place = commands[each.command->index];
    REQUIRE(!place || replaced.add(place), CL_OUT_OF_HOST_MEMORY, "no memory for commands");
    place = each.launch;
  }
  Plan *plan;
  REQUIRE_SUCCESS(make_plan(buffer, commands, plan));
  Plan *before = buffer->plan;
  before->next = plan;
  __atomic_fetch_add(&plan->uses, 1, __ATOMIC_RELAXED);
  before->replaced = replaced;
  replaced = {};
  update.before = before;
  buffer->plan = plan;
  buffer->num_incomplete = incomplete;
  List<Work *> old = buffer->commands;
  buffer->commands = commands;
  commands = old;
  for (Change &each : update.changes) {
    Kernel *kernel = each.command->kernel;
    each.command->kernel = each.kernel;
    each.command->range = each.range;
    each.command->is_complete = !each.lacks;
    each.kernel = kernel;
    take_replaced(each.command->kernel, update.dropped);
    each.launch = nullptr;
  }
  return CL_SUCCESS;
}

static cl_int make_update(CommandBuffer *buffer, cl_uint count, const cl_uint *types, const void *const *configs,
                          Update &made) {
  Held held(buffer->lock);
  REQUIRE(buffer->plan, CL_INVALID_OPERATION, "the command buffer has not been finalised");
  REQUIRE(buffer->is_mutable, CL_INVALID_OPERATION, "the command buffer isn't mutable");
  REQUIRE_SUCCESS(require_list(types, count, "types of changes"));
  REQUIRE_SUCCESS(require_list(configs, count, "changes"));
  for (cl_uint i = 0; i < count; ++i)
    REQUIRE(types[i] == CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR && configs[i], CL_INVALID_VALUE,
            "change %u, at %p, has type %u", i, configs[i], types[i]);
  for (cl_uint i = 0; i < count; ++i)
    REQUIRE_SUCCESS(
        read_change(buffer, *static_cast<const cl_mutable_dispatch_config *>(configs[i]), made.changes));
  return count ? apply(buffer, made) : CL_SUCCESS;
}

static cl_int update(CommandBuffer *buffer, cl_uint count, const cl_uint *types, const void *const *configs) {
  Update made = {};
  cl_int result = make_update(buffer, count, types, configs, made);
  made.release();
  if (result != CL_SUCCESS)
    tell_no_code(buffer->context);
  return result;
}

// ---- Queries -------------------------------------------------------------------------------------------------

static cl_int mutable_command_info(MutableCommand *command, cl_enum what, const Answer &answer) {
  Held held(command->buffer->lock);
  const GivenRange &range = command->range;
  switch (what) {
  case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:
    return answer.value(command->buffer->queue);
  case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:
    return answer.value(command->buffer);
  case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:
    return answer.value<cl_enum>(CL_COMMAND_NDRANGE_KERNEL);
  case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR:
    return answer.bytes(command->properties.items, command->properties.count * sizeof(cl_properties));
  case CL_MUTABLE_DISPATCH_KERNEL_KHR:
    return answer.value(command->recorded);
  case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:
    return answer.value(range.dimensions);
  case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
    return answer.bytes(range.offset, range.dimensions * sizeof(size_t));
  case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
    return answer.bytes(range.size, range.dimensions * sizeof(size_t));
  case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
    return answer.bytes(range.local, range.dimensions * sizeof(size_t));
  default:
    return fail(CL_INVALID_VALUE, "mutable commands have no property 0x%x", what);
  }
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clUpdateMutableCommandsKHR(cl_command_buffer buffer, cl_uint count, const cl_uint *types,
                                        const void **configs) {
  REQUIRE_SUCCESS(require_command_buffer(buffer));
  return update(buffer, count, types, configs);
}

LW_CL cl_int clGetMutableCommandInfoKHR(cl_mutable_command command, cl_enum what, size_t room, void *place,
                                        size_t *size) {
  REQUIRE(lives(command), CL_INVALID_MUTABLE_COMMAND_KHR, "%p is no mutable command", static_cast<const void *>(command));
  return mutable_command_info(command, what, {room, place, size});
}
