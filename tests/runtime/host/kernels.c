// SPDX-License-Identifier: Apache-2.0
// Kernels of the tests of the host runtime, in images as compiled programs have them, and programs of C that a test
// runs where Python would be too slow.
#include "../../../src/lanewise/runtime/host/lanewise.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL(name) static void name(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz)
#define UNUSED (void)launch, (void)arena, (void)gx, (void)gy, (void)gz
#define COUNT(array) (sizeof(array) / sizeof *(array))

KERNEL(nothing) { UNUSED; }

struct add_args {
  atomic_ullong *sum;
  uint64_t value;
};
KERNEL(add) {
  UNUSED;
  const struct add_args *args = launch->args;
  atomic_fetch_add(args->sum, args->value);
}

struct note_args {
  uint64_t *log; // the number of entries, then these
  uint64_t value;
};
KERNEL(note) {
  UNUSED;
  const struct note_args *args = launch->args;
  args->log[1 + args->log[0]] = args->value;
  ++args->log[0];
}

// Fails unless it is its turn.
struct turn_args {
  uint64_t *turn;
  uint64_t value;
};
KERNEL(take_turn) {
  UNUSED;
  const struct turn_args *args = launch->args;
  if (*args->turn != args->value)
    launch->services->trap(launch, gx, gy, gz, 0, 0, 0);
  *args->turn = args->value + 1;
}

struct gate_args {
  atomic_uint *gate;
};
KERNEL(await_gate) {
  UNUSED;
  const struct gate_args *args = launch->args;
  while (atomic_load(args->gate) == 0) {
    ++launch->services->waiting(launch)->changes; // not stuck: the host is to open the gate
    launch->services->yield(launch);
  }
}

KERNEL(spin_for_ever) {
  UNUSED;
  for (;;) {
    ++launch->services->waiting(launch)->idle;
    launch->services->yield(launch);
  }
}

KERNEL(trap) {
  UNUSED;
  launch->services->trap(launch, gx, gy, gz, 7, 0, 0);
}

struct print_args {
  uint64_t value;
};
KERNEL(print) {
  UNUSED;
  const struct print_args *args = launch->args;
  launch->services->vprintf(launch, "<%llu>\n", &args->value);
}

struct describe_args {
  uint64_t *into;
};
KERNEL(describe) {
  UNUSED;
  const struct describe_args *args = launch->args;
  for (int axis = 0; axis < 3; ++axis) {
    args->into[axis] = launch->grid[axis];
    args->into[3 + axis] = launch->block[axis];
  }
  args->into[6] = launch->dynamic_shared;
  args->into[7] = launch->flags;
  args->into[8] = launch->stream_bytes;
  memset(arena, 1, 256 * launch->block[0] + launch->dynamic_shared); // all of it is there
}

static double divided(volatile double number) { return number / 4; }
KERNEL(keep_denormal) {
  UNUSED;
  const struct describe_args *args = launch->args;
  args->into[0] = divided(2.3e-308) != 0;
}

KERNEL(meet) {
  UNUSED;
  const struct add_args *args = launch->args;
  atomic_fetch_add(args->sum, 1);
  launch->services->grid_sync(launch);
  if (atomic_load(args->sum) < (uint64_t)launch->grid[0])
    launch->services->trap(launch, gx, gy, gz, 0, 0, 0);
}

// Writes which of the codes of a kernel has run.
struct choice_args {
  uint64_t *which;
  void *a, *b;
};
#define CHOICE(number)                                                                                                 \
  KERNEL(choice_##number) {                                                                                            \
    UNUSED;                                                                                                            \
    *((const struct choice_args *)launch->args)->which = number;                                                       \
  }
CHOICE(1)
CHOICE(2)
CHOICE(3)

// ---- The image ---------------------------------------------------------------------------------------------------

#define POINTER(field, position) {.name = field, .offset = position, .bytes = 8, .kind = LW_POINTER}
#define VALUE(field, position) {.name = field, .offset = position, .bytes = 8, .kind = LW_VALUE}

static const lw_parameter pointer_and_value[] = {POINTER("first", 0), VALUE("value", 8)};
static const lw_parameter value_only[] = {VALUE("value", 0)};
static const lw_parameter three_pointers[] = {POINTER("which", 0), POINTER("a", 8), POINTER("b", 16)};
static lw_parameter many_pointers[65]; // filled in by test_image

static const uint32_t apart[] = {1};
static const lw_code nothing_code[] = {{.function = nothing}};
static const lw_code add_code[] = {{.function = add}};
static const lw_code note_code[] = {{.function = note}};
static const lw_code turn_code[] = {{.function = take_turn}};
static const lw_code gate_code[] = {{.function = await_gate}};
static const lw_code spin_code[] = {{.function = spin_for_ever}};
static const lw_code trap_code[] = {{.function = trap}};
static const lw_code print_code[] = {{.function = print}};
static const lw_code describe_code[] = {{.function = describe, .arena_bytes = 100, .item_bytes = 256}};
static const lw_code huge_code[] = {{.function = nothing, .item_bytes = 2 << 20}};
static const lw_code meet_code[] = {{.function = meet}};
static const lw_code kept_code[] = {{.function = keep_denormal}};
static const lw_code flushed_code[] = {{.function = keep_denormal, .flags = LW_CODE_FLUSH_DENORMALS}};
static const lw_code for_64_code[] = {{.function = nothing, .block = {64, 1, 1}}};
static const lw_code chosen_code[] = {
    {.function = choice_1, .block = {32, 1, 1}, .flags = LW_CODE_SMALL_GRID, .num_apart = 1, .apart = apart},
    {.function = choice_2, .flags = LW_CODE_SMALL_GRID},
    {.function = choice_3},
};

#define TAKES(list, size) .parameters = list, .num_parameters = COUNT(list), .args_bytes = size
#define RUNS(list) .codes = list, .num_codes = COUNT(list)

static const lw_kernel_image kernels[] = {
    {.symbol = "nothing", .name = "nothing", RUNS(nothing_code)},
    {.symbol = "add", .name = "ns::add", TAKES(pointer_and_value, 16), RUNS(add_code)},
    {.symbol = "note", .name = "note", TAKES(pointer_and_value, 16), RUNS(note_code)},
    {.symbol = "take_turn", .name = "take_turn", TAKES(pointer_and_value, 16), RUNS(turn_code)},
    {.symbol = "await_gate", .name = "await_gate", TAKES(value_only, 8), RUNS(gate_code)},
    {.symbol = "spin_for_ever", .name = "spin_for_ever", RUNS(spin_code)},
    {.symbol = "trap", .name = "trap", RUNS(trap_code)},
    {.symbol = "print", .name = "print", TAKES(value_only, 8), RUNS(print_code)},
    {.symbol = "describe", .name = "describe", TAKES(value_only, 8), RUNS(describe_code), .shared_bytes = 1000},
    {.symbol = "huge", .name = "huge", RUNS(huge_code)},
    {.symbol = "meet", .name = "meet", TAKES(pointer_and_value, 16), RUNS(meet_code)},
    {.symbol = "kept", .name = "kept", TAKES(value_only, 8), RUNS(kept_code)},
    {.symbol = "flushed", .name = "flushed", TAKES(value_only, 8), RUNS(flushed_code)},
    {.symbol = "for_64", .name = "for_64", RUNS(for_64_code)},
    {.symbol = "bounded", .name = "bounded", RUNS(nothing_code), .max_threads = 128},
    {.symbol = "refused", .name = "refused", .refusal = "kernel refused uses what no CPU has"},
    {.symbol = "chosen", .name = "chosen", TAKES(three_pointers, 24), RUNS(chosen_code)},
    {.symbol = "many", .name = "many", TAKES(many_pointers, 8 * 65), RUNS(nothing_code)},
};

static uint64_t variable[4] = {1, 2, 3, 4};
static const uint32_t constant = 42;
static uint64_t managed[2] = {5, 6};
static void *place_of_managed = managed;
static lw_variable_image variables[] = {
    {.symbol = "variable", .name = "ns::variable", .address = variable, .bytes = sizeof variable},
    {.symbol = "constant", .name = "constant", .address = (void *)&constant, .bytes = 4, .flags = LW_VARIABLE_CONSTANT},
    {.symbol = "managed", .name = "managed", .address = managed, .bytes = sizeof managed, .flags = LW_VARIABLE_MANAGED},
};
static const lw_reference references[] = {{.place = &place_of_managed, .variable = 2}};

static lw_image image = {
    .version = LW_IMAGE_VERSION,
    .num_kernels = COUNT(kernels),
    .num_variables = COUNT(variables),
    .num_references = COUNT(references),
    .id = "a test's image.",
    .source = "kernels.c",
    .features = "",
    .kernels = kernels,
    .variables = variables,
    .references = references,
};

LW_EXPORT void *where_managed_is(void) { return place_of_managed; }

LW_EXPORT const lw_image *test_image(void) {
  for (uint32_t i = 0; i < COUNT(many_pointers); ++i)
    many_pointers[i] = (lw_parameter)POINTER("each", 8 * i);
  return &image;
}

// Another image with one kernel: of another version, or for a processor that has `features`.
LW_EXPORT const lw_image *other_image(uint32_t version, const char *features) {
  static const lw_kernel_image one[] = {{.symbol = "one", .name = "one", RUNS(nothing_code)}};
  static lw_image other;
  other = (lw_image){.version = version, .num_kernels = 1, .id = "another image..", .source = "other.c",
                     .features = features, .kernels = one};
  return &other;
}

// ---- Many threads --------------------------------------------------------------------------------------------------

enum { THREADS = 8, QUEUES = 3 };

// The work of a thread: turns on queues of its own, which are in order by themselves, by events, and by the default
// queue. A kernel that comes too early fails.
struct player {
  pthread_t thread;
  unsigned seed;
  uint32_t steps;
  uint64_t *turns; // of each queue, and of all of them
  int32_t result;
};

static int32_t launch_turn(lw_queue *queue, uint64_t *turn, uint64_t value) {
  struct turn_args args = {turn, value};
  lw_kernel_launch launch = {.kernel = lw_image_kernel(&image, "take_turn"), .args = &args, .grid = {1, 1, 1},
                             .block = {1, 1, 1}};
  return lw_queue_launch(queue, &launch);
}

static int32_t play(struct player *player) {
  lw_queue *queues[QUEUES] = {0};
  lw_event *event;
  uint64_t next[QUEUES + 1] = {0};
  uint32_t last = 0;
  int32_t result = lw_event_create(LW_NO_TIMING, &event);
  for (uint32_t i = 0; i < QUEUES && result == 0; ++i)
    result = lw_queue_create(i == 0 ? LW_NON_BLOCKING : 0, 0, &queues[i]);
  for (uint32_t step = 0; step < player->steps && result == 0; ++step) {
    uint32_t which = (uint32_t)rand_r(&player->seed) % QUEUES;
    switch (rand_r(&player->seed) % 16) {
    case 0: // one queue after another
      if ((result = lw_event_record(event, queues[last])) == 0)
        result = lw_queue_wait(queues[which], event);
      if (result == 0)
        result = launch_turn(queues[which], &player->turns[QUEUES], next[QUEUES]++);
      last = which;
      break;
    case 1:
      result = lw_queue_synchronize(queues[which]);
      if (result == 0 && which > 0) // the last turn may be of the default queue
        result = lw_queue_synchronize(lw_default_queue());
      if (result == 0 && player->turns[which] != next[which])
        result = -1;
      break;
    case 2: // made anew, with work that is still to be done
      if (which != last) {
        if (which == 0) // its turns go on in a queue that isn't in order with the old one
          result = lw_queue_synchronize(queues[0]);
        else // by way of the default queue
          result = launch_turn(lw_default_queue(), &player->turns[which], next[which]++);
        lw_queue_destroy(queues[which]);
        if (result == 0)
          result = lw_queue_create(which == 0 ? LW_NON_BLOCKING : 0, 0, &queues[which]);
      }
      break;
    case 3:
      if (which > 0)
        result = launch_turn(lw_default_queue(), &player->turns[which], next[which]++);
      break;
    case 4:
      result = rand_r(&player->seed) % 4 == 0 ? lw_synchronize() : 0;
      break;
    case 5:
      result = lw_queue_query(queues[which]);
      result = result == LW_NOT_READY ? 0 : result;
      break;
    default:
      result = launch_turn(queues[which], &player->turns[which], next[which]++);
    }
  }
  for (uint32_t i = 0; i < QUEUES; ++i) {
    int32_t end = lw_queue_synchronize(queues[i]);
    result = result == 0 ? end : result;
    lw_queue_destroy(queues[i]);
  }
  lw_event_destroy(event);
  if (result == 0)
    result = lw_queue_synchronize(lw_default_queue());
  for (uint32_t i = 0; i <= QUEUES && result == 0; ++i)
    result = player->turns[i] == next[i] ? 0 : -2;
  return result;
}

static void *player_main(void *argument) {
  struct player *player = argument;
  player->result = play(player);
  return NULL;
}

// What the first thread that failed has found, of several that play at once; 0: none.
LW_EXPORT int32_t play_together(unsigned seed, uint32_t steps) {
  struct player players[THREADS] = {0};
  int32_t result = 0;
  for (unsigned i = 0; i < THREADS; ++i) {
    struct player *player = &players[i];
    *player = (struct player){.seed = seed * THREADS + i, .steps = steps};
    void *turns;
    if (lw_memory_allocate((QUEUES + 1) * sizeof(uint64_t), LW_MANAGED_MEMORY, 0, &turns) != 0)
      return -3;
    player->turns = memset(turns, 0, (QUEUES + 1) * sizeof(uint64_t));
    if (pthread_create(&player->thread, NULL, player_main, player) != 0)
      return -4;
  }
  for (unsigned i = 0; i < THREADS; ++i) {
    pthread_join(players[i].thread, NULL);
    result = result == 0 ? players[i].result : result;
    int32_t freed = lw_memory_free(players[i].turns, 0);
    result = result == 0 ? freed : result;
  }
  return result;
}
