// SPDX-License-Identifier: Apache-2.0
// Trials of a kernel's other mapping by the launches of a native program, as core/trial.c tells of them.
//
// Code that the compiler isn't sure of says so in its flags. Once launches by it have taken long, the compile service
// makes the other code, and launches run by both. What they choose is kept in the cache by the service, which answers
// later programs with that code, or that the present one was chosen. These are steps of a tier (second_tier.c):
//
//     watches   launches run by the one code
//     waits     the service is asked for the other
//     runs      launches run by both, then by the faster one
//     keeps     the service is told
//     ended     nothing is left to do
#include "host.h"

#include <stdio.h>
#include <string.h>

// The code that the tier's trial is about; null if there is none.
static const lw_code *tried_code(const struct tier *tier) {
  const lw_code *general = tier->general;
  const lw_code *code = general != NULL && !is_for_any_size(general) ? general : code_of_tier(tier);
  return code != NULL && asks_for_trial(code) ? code : NULL;
}

// The trial that a launch by `code` takes part in; null if there is none.
static lw_trial *trial_of(struct tier *tier, const lw_code *code) {
  return tier != NULL && tiers.tries && code == tried_code(tier) ? &tier->trial : NULL;
}

static bool goes_on(struct tier *tier, int from, int to) {
  return atomic_compare_exchange_strong(&tier->trying, &from, to);
}

// Goes on with a tier's trial if it is time. Called after each launch and during long ones.
static void look_at_trial(struct tier *tier) {
  lw_trial *trial = &tier->trial;
  if (!__atomic_load_n(&trial->asks, __ATOMIC_ACQUIRE) || !__atomic_exchange_n(&trial->asks, 0, __ATOMIC_ACQ_REL))
    return;
  bool chosen = __atomic_load_n(&trial->state, __ATOMIC_ACQUIRE) >= LW_TRIAL_FIRST;
  if (chosen ? goes_on(tier, TRY_RUNS, TRY_KEEPS) : goes_on(tier, TRY_WATCHES, TRY_WAITS))
    wait_in_line(tier);
}

static bool is_second_loop(const struct tier *tier) {
  const lw_code *code = tried_code(tier);
  return code != NULL && code->flags & LW_CODE_TRY_LOOP;
}

static double us_per_group(const lw_trial *trial, int side) {
  return trial->groups[side] > 0 ? (double)trial->ns[side] / 1e3 / (double)trial->groups[side] : 0;
}

// Text that doesn't depend on the program's locale.
static unsigned long long ps_per_group(const lw_trial *trial, int side) {
  return (unsigned long long)(us_per_group(trial, side) * 1e6);
}

static const char KEPT[] = "kept"; // the answer to a choice
static const char *const MAPPING_NAMES[] = {"lanes", "loop"}; // as workgroup/mapping.py has them

// The lines of a request that tell what it is about: other code, or what was chosen.
static void write_trial_lines(const struct tier *tier, char *text, size_t room) {
  const lw_trial *trial = &tier->trial;
  const char *other = MAPPING_NAMES[is_second_loop(tier)];
  bool is_other = __atomic_load_n(&trial->state, __ATOMIC_ACQUIRE) == LW_TRIAL_SECOND;
  if (atomic_load(&tier->trying) == TRY_KEEPS)
    snprintf(text, room, "chosen %s %s %llu %llu %llu\n", is_other ? "other" : "usual", other, ps_per_group(trial, 0),
             ps_per_group(trial, 1), (unsigned long long)(trial->groups[0] + trial->groups[1]));
  else
    snprintf(text, room, "try %s\n", other);
}

static void log_trial(const struct tier *tier, const char *text) {
  if (wants_log())
    fprintf(stderr, "lanewise: kernel %s, blocks of (%u, %u, %u): %s\n", tier->name, tier->block[0], tier->block[1],
            tier->block[2], text);
}

static void log_choice(const struct tier *tier) {
  const lw_trial *trial = &tier->trial;
  pthread_mutex_lock(&tiers.lock);
  bool known = tier->image != NULL, loop = known && is_second_loop(tier);
  pthread_mutex_unlock(&tiers.lock);
  if (!known)
    return;
  char text[200];
  snprintf(text, sizeof text, "launches tried both mappings: %.3g us per work-group by the usual mapping, %.3g us by the "
           "other mapping, %s", us_per_group(trial, 0), us_per_group(trial, 1), loop ? "a loop over work-items" : "lanes");
  log_trial(tier, text);
}

// Whether all conditions of code `second` are conditions of `first`, too, so that it can run the same work-groups.
static bool can_stand_in(const lw_code *second, const lw_code *first) {
  static const uint32_t CONDITIONS = LW_CODE_SMALL_GRID | LW_CODE_FLUSH_DENORMALS;
  if ((second->flags ^ first->flags) & CONDITIONS || second->shared_bytes != first->shared_bytes ||
      second->arena_bytes > MAX_ARENA_BYTES)
    return false;
  for (uint32_t i = 0; i < second->num_apart; ++i) {
    bool found = false;
    for (uint32_t j = 0; j < first->num_apart; ++j)
      found |= first->apart[j] == second->apart[i];
    if (!found)
      return false;
  }
  return true;
}

static const char *begin_trial(struct tier *tier, char *text) {
  const char *objection = load_code(tier, text, &tier->second);
  if (objection != NULL)
    return objection;
  const lw_code *second = &tier->second;
  bool is_chosen = second->flags & LW_CODE_CHOSEN;
  pthread_mutex_lock(&tiers.lock); // the first code may lie in an image that is about to go
  const lw_code *first = tier->image != NULL ? tried_code(tier) : NULL;
  const char *refusal = NULL;
  if (first != NULL && !can_stand_in(second, first))
    refusal = "it needs other launches";
  else if (first == NULL || !goes_on(tier, TRY_WAITS, is_chosen ? TRY_ENDED : TRY_RUNS))
    refusal = "its library is closed";
  pthread_mutex_unlock(&tiers.lock);
  if (refusal != NULL)
    return refusal;
  lw_trial_begin(&tier->trial, second->function, arena_bytes(second, tier->block, 0));
  if (is_chosen)
    __atomic_store_n(&tier->trial.state, LW_TRIAL_SECOND, __ATOMIC_RELEASE);
  log_trial(tier, is_chosen ? "the other mapping from now on, which earlier launches have chosen"
                            : "launches try the other mapping, too");
  return NULL;
}

// Takes what the service has answered about a trial.
static void take_trial_answer(struct tier *tier, char *text) {
  if (atomic_load(&tier->trying) == TRY_WAITS) {
    const char *objection = begin_trial(tier, text);
    if (objection == NULL)
      return;
    log_trial(tier, objection);
  } else if (atomic_load(&tier->trying) == TRY_KEEPS) {
    log_choice(tier);
    if (strncmp(text, KEPT, strlen(KEPT)) != 0)
      log_trial(tier, "the cache did not keep the choice");
  }
  atomic_store(&tier->trying, TRY_ENDED);
}

// Whether later launches may run by other code than earlier ones. Under the lock.
static bool is_unsettled(const struct tier *tier) {
  if (tier->image == NULL)
    return false;
  int state = atomic_load(&tier->state);
  if (state == TIER_COUNTS || state == TIER_WAITS)
    return true;
  return tiers.tries && atomic_load(&tier->trying) != TRY_ENDED && tried_code(tier) != NULL;
}

uint32_t lw_unsettled_count(void) {
  uint32_t count = 0;
  pthread_mutex_lock(&tiers.lock);
  for (size_t i = 0; i < PLACES_FOR_TIERS && tiers.wanted; ++i) {
    const struct tier *tier = atomic_load(&tiers.places[i]);
    count += tier != NULL && is_unsettled(tier);
  }
  pthread_mutex_unlock(&tiers.lock);
  return count;
}

// In the child of a fork, whose service is another one.
static void leave_trial_of_parent(struct tier *tier) {
  bool waited = goes_on(tier, TRY_WAITS, TRY_WATCHES) || goes_on(tier, TRY_KEEPS, TRY_RUNS);
  if (waited)
    __atomic_store_n(&tier->trial.asks, 1, __ATOMIC_RELEASE);
}
