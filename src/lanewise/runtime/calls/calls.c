// SPDX-License-Identifier: Apache-2.0
// The function of Python that makes calls by a plan.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "geometries.c"

#include "arguments.c"
#include "results.c"

enum { MOST_INPUTS = 64, MOST_RESULTS = 8, MOST_ARGS_BYTES = 2048 };

struct lw_call {
  lw_call_plan plan;
  struct geometries geometries;
  char *scratch; // kept from call to call
  size_t scratch_bytes;
  int in_use; // by a call of another thread, while it runs without Python's lock
};

static const char NAME[] = "lanewise.call";

static char *scratch_for(lw_call *call, size_t bytes, int *borrowed) {
  *borrowed = !call->in_use;
  if (!*borrowed)
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (bytes > call->scratch_bytes) {
    free(call->scratch);
    call->scratch_bytes = (bytes + 63) / 64 * 64;
    call->scratch = aligned_alloc(64, call->scratch_bytes);
    if (call->scratch == NULL)
      call->scratch_bytes = 0;
  }
  call->in_use = call->scratch != NULL;
  return call->scratch;
}

static PyObject *missed(const lw_call *call) {
  PyErr_Clear();
  Py_IncRef(call->plan.missed);
  return call->plan.missed;
}

// Waits for a launch that isn't done at once, or whose trial is to be looked at. 0 with Python's error set if it failed.
static int finished(const lw_call *call, int64_t number, PyObject *const *values, Py_ssize_t count) {
  PyObject *arguments = PyTuple_New(count + 1);
  if (arguments == NULL)
    return 0;
  PyTuple_SetItem(arguments, 0, PyLong_FromLongLong(number));
  for (Py_ssize_t i = 0; i < count; i++) {
    Py_IncRef(values[i]);
    PyTuple_SetItem(arguments, i + 1, values[i]);
  }
  PyObject *result = PyObject_CallObject(call->plan.finish, arguments);
  Py_DecRef(arguments);
  if (result == NULL)
    return 0;
  Py_DecRef(result);
  return 1;
}

// As lw_start; negative with Python's error set if a signal handler raised while the pool was full.
static int64_t start(const struct geometry *launch, const char *args) {
  int64_t number;
  do {
    void *thread = PyEval_SaveThread();
    number = launch->start(launch->pool, &launch->request, args);
    PyEval_RestoreThread(thread);
  } while (number < 0 && PyErr_CheckSignals() == 0);
  return number;
}

// Ends a launch for which Python could not wait: a signal handler may raise before it does.
static void abandon(const struct geometry *launch) {
  void *thread = PyEval_SaveThread();
  launch->abandon(launch->pool);
  PyEval_RestoreThread(thread);
}

static PyObject *run(lw_call *call, PyObject *const *values, Py_ssize_t count) {
  const lw_call_plan *plan = &call->plan;
  const char *device = getenv("LANEWISE_DEVICE");
  if (device == NULL || plan->device == NULL ? device != plan->device : strcmp(device, plan->device) != 0)
    return missed(call);
  char args[MOST_ARGS_BYTES], starts[MOST_RESULTS][8];
  struct extent extents[MOST_INPUTS];
  int64_t counts[LW_MOST_AXES] = {0};
  int has_grid = plan->num_axes != 0;
  if (count != has_grid + plan->num_inputs + (has_grid ? plan->num_results : 0))
    return missed(call);
  if (has_grid && !pack_axes(plan, values[0], args, counts))
    return missed(call);
  const struct geometry *known = geometry_of(&call->geometries, counts);
  if (known == NULL || !pack_inputs(plan, values + has_grid, args, extents))
    return missed(call);
  struct geometry launch = *known; // the table may grow meanwhile
  uint64_t items = 1;
  for (int i = 0; i < 3; i++)
    items *= (uint64_t)launch.request.grid[i] * launch.request.block[i];
  size_t each = has_grid ? items * 8 : OUTPUT_BYTES;
  int borrowed = 0;
  char *scratch = NULL;
  if (plan->num_results != 0) {
    for (uint32_t i = 0; has_grid && i < plan->num_results; i++)
      if (!pack_start(&plan->results[i], values[1 + plan->num_inputs + i], starts[i]))
        return missed(call);
    scratch = scratch_for(call, plan->num_results * each, &borrowed);
    if (scratch == NULL)
      return PyErr_NoMemory();
    if (has_grid)
      memcpy(args + plan->chunk_offset, &launch.chunk, 8);
    else
      memset(scratch, 0, plan->num_results * each);
    for (uint32_t i = 0; i < plan->num_results; i++) {
      char *place = scratch + i * each;
      memcpy(args + plan->results[i].offset, &place, sizeof place);
    }
  }
  PyObject *result = NULL;
  int64_t number = start(&launch, args);
  if ((number > 0 || (number == 0 && lw_trial_asks(&launch.request))) && !finished(call, number, values, count)) {
    abandon(&launch);
  } else if (number >= 0) {
    if (plan->num_results == 0) {
      Py_IncRef(&_Py_NoneStruct);
      result = &_Py_NoneStruct;
    } else
      result = has_grid ? reductions_of(plan, scratch, items, starts) : outputs_of(plan, scratch);
  }
  if (borrowed)
    call->in_use = 0;
  else
    free(scratch);
  return result;
}

static PyObject *method(PyObject *capsule, PyObject *const *values, Py_ssize_t count) {
  return run(PyCapsule_GetPointer(capsule, NAME), values, count);
}

static PyMethodDef DEFINITION = {"call", method, METH_FASTCALL, "Make a call as those before."};

static void forget(PyObject *capsule) {
  lw_call *call = PyCapsule_GetPointer(capsule, NAME);
  free(call->geometries.places);
  free(call->scratch);
  free(call);
}

PyObject *lw_call_new(const lw_call_plan *plan, lw_call **made) {
  lw_call *call = calloc(1, sizeof *call);
  if (call == NULL)
    return PyErr_NoMemory();
  call->plan = *plan;
  PyObject *capsule = PyCapsule_New(call, NAME, forget);
  if (capsule == NULL) {
    free(call);
    return NULL;
  }
  *made = call;
  PyObject *function = PyCFunction_NewEx(&DEFINITION, capsule, NULL);
  Py_DecRef(capsule);
  return function;
}

void lw_call_add(lw_call *call, const int64_t counts[LW_MOST_AXES], int64_t chunk, const lw_request *request,
                 int64_t (*start)(lw_pool *, const lw_request *, const void *), lw_pool *pool,
                 void (*abandon)(lw_pool *)) {
  struct geometry added = {.chunk = chunk, .start = start, .pool = pool, .abandon = abandon, .request = *request};
  memcpy(added.counts, counts, sizeof added.counts);
  geometries_add(&call->geometries, &added);
}
