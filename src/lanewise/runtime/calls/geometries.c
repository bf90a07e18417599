// SPDX-License-Identifier: Apache-2.0
// The launches known of a call, by the numbers of iterations of its loops: a hash table with open addressing.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

enum { LW_MOST_GEOMETRIES = 1 << 14 };

struct geometry {
  int64_t counts[LW_MOST_AXES];
  int64_t chunk;
  int64_t (*start)(lw_pool *, const lw_request *, const void *); // null: the place is free
  lw_pool *pool;
  void (*abandon)(lw_pool *);
  lw_request request;
};

struct geometries {
  struct geometry *places;
  uint32_t num_places; // a power of two, or 0
  uint32_t num_used;
};

static struct geometry *geometry_place(const struct geometries *known, const int64_t counts[LW_MOST_AXES]) {
  uint64_t hash = 0;
  for (int i = 0; i < LW_MOST_AXES; i++)
    hash = (hash ^ (uint64_t)counts[i]) * 0x9E3779B97F4A7C15u;
  uint32_t mask = known->num_places - 1;
  uint32_t place = (uint32_t)(hash >> 32) & mask;
  while (known->places[place].start != NULL && memcmp(known->places[place].counts, counts, sizeof known->places->counts))
    place = (place + 1) & mask;
  return &known->places[place];
}

static const struct geometry *geometry_of(const struct geometries *known, const int64_t counts[LW_MOST_AXES]) {
  if (known->num_places == 0)
    return NULL;
  const struct geometry *found = geometry_place(known, counts);
  return found->start != NULL ? found : NULL;
}

static void geometries_grow(struct geometries *known) {
  struct geometries larger = {.num_places = known->num_places ? 2 * known->num_places : 8, .num_used = known->num_used};
  larger.places = calloc(larger.num_places, sizeof *larger.places);
  if (larger.places == NULL)
    return;
  for (uint32_t i = 0; i < known->num_places; i++)
    if (known->places[i].start != NULL)
      *geometry_place(&larger, known->places[i].counts) = known->places[i];
  free(known->places);
  *known = larger;
}

static void geometries_add(struct geometries *known, const struct geometry *added) {
  if (known->num_used == LW_MOST_GEOMETRIES)
    return;
  if (2 * (known->num_used + 1) > known->num_places)
    geometries_grow(known);
  if (known->num_used + 1 >= known->num_places)
    return; // memory is short, and a search needs a free place
  struct geometry *place = geometry_place(known, added->counts);
  known->num_used += place->start == NULL;
  *place = *added;
}
