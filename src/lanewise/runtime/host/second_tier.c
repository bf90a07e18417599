// SPDX-License-Identifier: Apache-2.0
// The second tier of code: kernels that take long by code for any block size are compiled for the size that they are
// launched with, by the compile service, while the program goes on. A launch that takes so long itself goes on by the
// new code, from one work-group to the next. launch_trials.c tells of a further code for the same size.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PLACES_FOR_TIERS = 1024, // a power of two
  MOST_TIERS = PLACES_FOR_TIERS / 2,
  SERVICE_THREAD_STACK_BYTES = 1 << 20,
};
static const uint64_t WORTH_NS = 100000000; // of running time: as long as the service takes at least
static const uint64_t TRY_AFTER_NS = 20000000; // of running time, before launches try another code; as `TrialPolicy` has it

enum tier_state { TIER_COUNTS, TIER_WAITS, TIER_DECLINED, TIER_READY };

enum trying { TRY_WATCHES, TRY_WAITS, TRY_RUNS, TRY_KEEPS, TRY_ENDED }; // launch_trials.c

// Code of a kernel as one block size uses it, and the code that is to replace it. `general` is for any size; or for this
// one, if launches are to try another.
struct tier {
  const lw_image *image; // null once it is removed, and so are the next two
  const lw_kernel_image *kernel;
  const lw_code *general;
  char *name; // of the kernel
  uint32_t block[3];
  atomic_ullong spent_ns;
  atomic_int state;       // of enum tier_state
  struct tier *following; // in the list of those that wait
  lw_code made;           // once it is ready
  atomic_int trying;      // of enum trying
  lw_trial trial;         // of the code for this size and `second`
  lw_code second;
};

static struct {
  pthread_once_t once;
  atomic_bool wanted, tries; // whether there are to be tiers, and trials
  pthread_mutex_t lock;
  struct tier *_Atomic places[PLACES_FOR_TIERS];
  size_t count;
  struct tier *waiting;
  bool has_thread;
} tiers = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

static void read_tiers_wanted(void) {
  const char *text = getenv("LANEWISE_SPECIALISE");
  tiers.wanted = (text == NULL || strcmp(text, "0") != 0) && has_loader();
  const char *mapping = getenv("LANEWISE_MAPPING");
  tiers.tries = mapping == NULL || strcmp(mapping, "auto,fixed") != 0;
}



static bool is_tier(const struct tier *tier, const lw_code *general, const uint32_t block[3]) {
  return tier->general == general && memcmp(tier->block, block, sizeof tier->block) == 0;
}

static struct tier *add_tier(const lw_kernel_launch *launch, const lw_code *general, size_t place) {
  const lw_image *image = image_of_kernel(launch->kernel);
  struct tier *tier = NULL;
  pthread_mutex_lock(&tiers.lock);
  while ((tier = atomic_load(&tiers.places[place])) != NULL && !is_tier(tier, general, launch->block))
    place = (place + 1) % PLACES_FOR_TIERS;
  if (tier == NULL && image != NULL && image->ir != NULL && tiers.count < MOST_TIERS) {
    tier = calloc(1, sizeof *tier);
    char *name = strdup(launch->kernel->name);
    if (tier == NULL || name == NULL) {
      free(tier);
      free(name);
      tier = NULL;
    } else {
      tier->name = name;
      tier->image = image;
      tier->kernel = launch->kernel;
      tier->general = general;
      memcpy(tier->block, launch->block, sizeof tier->block);
      tier->trial.long_ns = TRY_AFTER_NS;
      atomic_store(&tier->state, is_for_any_size(general) ? TIER_COUNTS : TIER_DECLINED);
      atomic_store(&tiers.places[place], tier);
      ++tiers.count;
    }
  }
  pthread_mutex_unlock(&tiers.lock);
  return tier;
}

// The tier of a launch that would run by `general`; null where there is to be none.
static struct tier *tier_of(const lw_kernel_launch *launch, const lw_code *general) {
  pthread_once(&tiers.once, read_tiers_wanted);
  if (!tiers.wanted || !(is_for_any_size(general) || (asks_for_trial(general) && tiers.tries)))
    return NULL;
  const uint32_t *block = launch->block;
  uint64_t hash = ((uintptr_t)general >> 3) * 31 + block[0] + 1031 * block[1] + 32771 * block[2];
  size_t place = (hash * 0x9e3779b97f4a7c15u >> 32) % PLACES_FOR_TIERS;
  for (struct tier *tier; (tier = atomic_load_explicit(&tiers.places[place], memory_order_acquire)) != NULL;
       place = (place + 1) % PLACES_FOR_TIERS)
    if (is_tier(tier, general, block))
      return tier;
  return add_tier(launch, general, place);
}

// The code that is made for the tier's block size; null if there is none yet.
static const lw_code *code_of_tier(const struct tier *tier) {
  return atomic_load_explicit(&tier->state, memory_order_acquire) == TIER_READY ? &tier->made : NULL;
}

// ---- What the service answers ------------------------------------------------------------------------------------

// The next line of `*text`, which becomes the rest; null at the end.
static char *next_line(char **text) {
  char *line = *text, *end = line != NULL ? strchr(line, '\n') : NULL;
  if (end == NULL)
    return NULL;
  *end = '\0';
  *text = end + 1;
  return line;
}

// The address of a variable or a function that code uses; null if the image doesn't tell it.
static void *address_in(const lw_image *image, const char *symbol) {
  const lw_variable_image *variable = lw_image_variable(image, symbol);
  return variable != NULL ? variable->address : NULL;
}

// The answer's lines, as the service writes them (cuda/service/answer.py):
//
//     code PATH
//     facts ARENA_BYTES SHARED_BYTES FLAGS NUM_APART NUM_VARIABLES
//     apart NUMBER              as often as that says
//     variable SYMBOL
//
// or "declined REASON". Tells why code can't be used; null: it can.
struct answer {
  char *path, *rest;
  unsigned long long arena_bytes, shared_bytes;
  unsigned flags, num_apart, num_variables;
};

// Tells why there is no code; null: there is.
static const char *read_answer(char *text, struct answer *answer) {
  enum { MOST_APART = 4096 }; // more parameters than a kernel can have
  char *line = next_line(&text);
  if (line != NULL && strncmp(line, "declined ", 9) == 0)
    return line + 9;
  char *facts = next_line(&text);
  if (line == NULL || strncmp(line, "code ", 5) != 0 || facts == NULL ||
      sscanf(facts, "facts %llu %llu %u %u %u", &answer->arena_bytes, &answer->shared_bytes, &answer->flags,
             &answer->num_apart, &answer->num_variables) != 5 ||
      answer->num_apart > MOST_APART)
    return "the service's answer can't be read";
  answer->path = line + 5;
  answer->rest = text;
  return NULL;
}

static const char *read_apart(struct answer *answer, uint32_t *apart) {
  for (unsigned i = 0; i < answer->num_apart; ++i) {
    char *line = next_line(&answer->rest);
    if (line == NULL || sscanf(line, "apart %u", &apart[i]) != 1)
      return "the service's answer can't be read";
  }
  return NULL;
}

// Fills in the table of the addresses that the code at `library` uses. Under the lock, with the image still there.
static const char *fill_addresses(const struct tier *tier, struct answer *answer, void *library) {
  void **table = answer->num_variables > 0 ? dlsym(library, "lw_variables") : NULL;
  if (answer->num_variables > 0 && table == NULL)
    return "its code has no table of addresses";
  for (unsigned i = 0; i < answer->num_variables; ++i) {
    char *line = next_line(&answer->rest);
    if (line == NULL || strncmp(line, "variable ", 9) != 0)
      return "the service's answer can't be read";
    void *address = address_in(tier->image, line + 9);
    if (address == NULL)
      return "it calls functions by their address";
    if (table[i] != NULL && table[i] != address)
      return "another unit of the program has the same code";
    table[i] = address;
  }
  return NULL;
}

// Loads the code that an answer names, in `made`. Tells why it can't be; null: it is.
static const char *load_code(const struct tier *tier, char *text, lw_code *made) {
  struct answer answer;
  const char *objection = read_answer(text, &answer);
  if (objection != NULL)
    return objection;
  void *library = dlopen(answer.path, RTLD_NOW | RTLD_LOCAL); // not under the lock: dlclose() removes images
  lw_group_fn function = library != NULL ? (lw_group_fn)dlsym(library, "lw_group") : NULL;
  if (function == NULL)
    return "its code can't be loaded";
  uint32_t *apart = calloc(answer.num_apart + 1, sizeof *apart);
  if (apart == NULL)
    return "no memory";
  objection = read_apart(&answer, apart);
  pthread_mutex_lock(&tiers.lock);
  if (objection == NULL)
    objection = tier->image == NULL ? "its library is closed" : fill_addresses(tier, &answer, library);
  pthread_mutex_unlock(&tiers.lock);
  if (objection != NULL)
    free(apart);
  else
    *made = (lw_code){.function = function,
                      .arena_bytes = answer.arena_bytes,
                      .block = {tier->block[0], tier->block[1], tier->block[2]},
                      .shared_bytes = (uint32_t)answer.shared_bytes,
                      .flags = answer.flags,
                      .num_apart = answer.num_apart,
                      .apart = apart};
  return objection;
}

// Makes the answer's code that of the tier. Tells why it can't be; null: it is.
static const char *take_answer(struct tier *tier, char *text) {
  const char *objection = load_code(tier, text, &tier->made);
  if (objection != NULL)
    return objection;
  int waits = TIER_WAITS; // unless the image has gone since
  return atomic_compare_exchange_strong(&tier->state, &waits, TIER_READY) ? NULL : "its library is closed";
}

// ---- Asking ------------------------------------------------------------------------------------------------------

static void log_tier(const struct tier *tier, const char *objection) {
  if (!wants_log())
    return;
  const uint32_t *block = tier->block;
  if (objection == NULL)
    fprintf(stderr, "lanewise: kernel %s, blocks of (%u, %u, %u): code for this block size from now on\n",
            tier->name, block[0], block[1], block[2]);
  else
    fprintf(stderr, "lanewise: kernel %s, blocks of (%u, %u, %u): no code for this block size: %s\n",
            tier->name, block[0], block[1], block[2], objection);
}

// The same of a launch that goes on by the new code.
static void log_change(const struct tier *tier) {
  if (wants_log())
    fprintf(stderr, "lanewise: kernel %s, blocks of (%u, %u, %u): a launch goes on by this code\n", tier->name,
            tier->block[0], tier->block[1], tier->block[2]);
}

static char *kept_answer(const char *head, const char *content, size_t bytes, bool is_ptx);
static void keep_answer(const char *head, const char *content, size_t bytes, const char *given, int64_t asked, bool alone,
                        bool is_ptx);
static void take_trial_answer(struct tier *tier, char *text);
static void write_trial_lines(const struct tier *tier, char *text, size_t room);

// Takes the code that a service made for another process. False: none is kept.
static bool take_kept_code(struct tier *tier, const char *head, const void *ir, size_t bytes) {
  char *answer = kept_answer(head, ir, bytes, false);
  bool taken = answer != NULL && take_answer(tier, answer) == NULL;
  free(answer);
  return taken;
}

// Takes a service's answer, and keeps it unless launches are to choose between this code and another. Tells why there
// is no code; null: there is.
static const char *take_and_keep(struct tier *tier, char *answer, const char *head, const void *ir, size_t bytes) {
  char *copy = strdup(answer); // reading cuts it into lines
  const char *objection = take_answer(tier, answer);
  if (objection == NULL && copy != NULL && !asks_for_trial(&tier->made))
    keep_answer(head, ir, bytes, copy, 0, true, false);
  free(copy);
  return objection;
}

static const char *ask_for(struct tier *tier, char *head, const void *ir, size_t bytes) {
  bool is_code = atomic_load(&tier->state) == TIER_WAITS; // or else a trial's business
  if (is_code && take_kept_code(tier, head, ir, bytes)) {
    log_tier(tier, NULL);
    return NULL;
  }
  char *answer = ask_service(head, ir, bytes);
  const char *failure = answer == NULL ? "the compile service doesn't answer" : NULL;
  if (answer != NULL && !is_code) {
    take_trial_answer(tier, answer);
  } else if (answer != NULL) {
    const char *objection = take_and_keep(tier, answer, head, ir, bytes);
    if (objection != NULL)
      atomic_store(&tier->state, TIER_DECLINED);
    log_tier(tier, objection);
  }
  free(answer);
  return failure;
}

// A request, as cuda/service/request.py reads it, and a copy of the IR that it is about: for the code of this size, or
// else about the trial. Under the lock.
static char *request_for(const struct tier *tier, void **ir) {
  enum { MOST_NUMBERS = 200, MOST_LINES = 200 };
  const lw_image *image = tier->image;
  size_t room = strlen(tier->kernel->symbol) + strlen(LW_BUILD) + MOST_NUMBERS + MOST_LINES;
  char lines[MOST_LINES];
  char *head = malloc(room);
  *ir = malloc(image->ir_bytes);
  if (head == NULL || *ir == NULL) {
    free(head);
    free(*ir);
    return NULL;
  }
  memcpy(*ir, image->ir, image->ir_bytes);
  const char *assumed = assumes_nothing(tier->kernel, tier->general) ? "nothing" : "all";
  if (atomic_load(&tier->state) == TIER_WAITS)
    snprintf(lines, sizeof lines, "%s", tiers.tries ? "" : "fixed 1\n");
  else
    write_trial_lines(tier, lines, sizeof lines);
  snprintf(head, room, "build %s\nkernel %s\nblock %u %u %u\nassume %s\n%s\n", LW_BUILD, tier->kernel->symbol,
           tier->block[0], tier->block[1], tier->block[2], assumed, lines);
  return head;
}

static struct tier *first_waiting(void) {
  struct tier *tier = tiers.waiting;
  if (tier != NULL)
    tiers.waiting = tier->following;
  else
    tiers.has_thread = false;
  return tier;
}

// Asks for all that waits. If nobody answers, that was the last time.
static void *ask_for_all(void *unused) {
  (void)unused;
  pthread_mutex_lock(&tiers.lock);
  for (struct tier *tier; (tier = first_waiting()) != NULL;) {
    void *ir = NULL;
    char *head = tier->image != NULL && tiers.wanted ? request_for(tier, &ir) : NULL;
    size_t bytes = head != NULL ? tier->image->ir_bytes : 0;
    pthread_mutex_unlock(&tiers.lock);
    const char *failure = head != NULL ? ask_for(tier, head, ir, bytes) : NULL;
    free(head);
    free(ir);
    pthread_mutex_lock(&tiers.lock);
    if (failure != NULL) {
      tiers.wanted = false;
      log_tier(tier, failure);
    }
  }
  pthread_mutex_unlock(&tiers.lock);
  return NULL;
}

// Has the service asked for what a tier waits for.
static void wait_in_line(struct tier *tier) {
  pthread_mutex_lock(&tiers.lock);
  tier->following = tiers.waiting;
  tiers.waiting = tier;
  bool starts = !tiers.has_thread;
  tiers.has_thread = true;
  pthread_mutex_unlock(&tiers.lock);
  if (starts && !start_thread(ask_for_all, NULL, NULL, SERVICE_THREAD_STACK_BYTES)) {
    pthread_mutex_lock(&tiers.lock);
    tiers.has_thread = false;
    pthread_mutex_unlock(&tiers.lock);
  }
}

// Takes note that a launch by general code ran for `ns`.
static void spend_in_tier(struct tier *tier, uint64_t ns) {
  int counts = TIER_COUNTS;
  if (atomic_fetch_add(&tier->spent_ns, ns) + ns >= WORTH_NS &&
      atomic_compare_exchange_strong(&tier->state, &counts, TIER_WAITS))
    wait_in_line(tier);
}

// ---- The ends of images and processes ----------------------------------------------------------------------------

// No more code is made for an image that goes away, and none of it is found.
static void forget_tiers_of(const lw_image *image) {
  pthread_mutex_lock(&tiers.lock);
  for (size_t i = 0; i < PLACES_FOR_TIERS; ++i) {
    struct tier *tier = atomic_load(&tiers.places[i]);
    if (tier == NULL || tier->image != image)
      continue;
    tier->image = NULL;
    tier->kernel = NULL;
    tier->general = NULL; // another image may come to lie there
    atomic_store(&tier->state, TIER_DECLINED);
    atomic_store(&tier->trying, TRY_ENDED);
  }
  pthread_mutex_unlock(&tiers.lock);
}

static void lock_tiers(void) { pthread_mutex_lock(&tiers.lock); }
static void unlock_tiers(void) { pthread_mutex_unlock(&tiers.lock); }

static void leave_trial_of_parent(struct tier *tier);

// In the child of a fork: the service is the parent's.
static void leave_tiers_of_parent(void) {
  pthread_mutex_init(&tiers.lock, NULL);
  pthread_mutex_init(&service.lock, NULL);
  leave_service();
  tiers.waiting = NULL;
  tiers.has_thread = false;
  for (size_t i = 0; i < PLACES_FOR_TIERS; ++i) {
    struct tier *tier = atomic_load(&tiers.places[i]);
    if (tier == NULL)
      continue;
    atomic_store(&tier->spent_ns, 0);
    int waits = TIER_WAITS;
    atomic_compare_exchange_strong(&tier->state, &waits, TIER_COUNTS);
    leave_trial_of_parent(tier);
  }
}
