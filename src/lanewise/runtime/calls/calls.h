// SPDX-License-Identifier: Apache-2.0
// Calls of compiled loops from Python without Python's interpreter: the arguments are looked at, packed and launched
// here. A call that isn't as the ones before is missed: it returns an object that tells the caller to go the long way.
#ifndef LANEWISE_CALLS_H
#define LANEWISE_CALLS_H

#include "../core/lanewise_rt.h"
#include "python.h"

enum { LW_MOST_AXES = 3, LW_MOST_DIMENSIONS = 6 };

// An argument. Codes of numbers are those of Python's struct module.
typedef struct lw_call_input {
  PyObject *type;      // of the value, exactly
  uint32_t offset;     // among the packed arguments; of the address of an array, which its extents follow
  uint32_t item_bytes; // of an array
  uint8_t code;        // of a number, or of an array's elements
  uint8_t is_array;
  uint8_t dimensions;
  uint8_t is_contiguous;
  uint8_t is_dense;      // the elements of a row lie side by side
  uint8_t is_writeable;
  uint8_t is_written;  // memory that no other array may overlap
  uint8_t has_strides; // they are passed
} lw_call_input;

// A loop over a range. What is passed of it are its count, its start, and with `has_step` its step.
typedef struct lw_call_axis {
  uint32_t offset;
  uint32_t has_step;
} lw_call_axis;

// A value that the launch leaves in scratch memory, whose address is passed.
typedef struct lw_call_result {
  PyObject *type;       // makes the result from a number of Python's; null for Python's own types
  PyObject *start_type; // of what a reduction starts with, exactly
  uint32_t offset;
  uint8_t code;
  uint8_t fold; // of partial results, by the sign of its operation, 'm' and 'M' for min and max; 0 for an output
} lw_call_result;

enum lw_call_shape {
  LW_NO_RESULT = 0, // None
  LW_LIST = 1,      // of all results
  LW_ONE = 2,       // the result, or None
};

typedef struct lw_call_plan {
  const lw_call_input *inputs;
  const lw_call_axis *axes; // of a grid; its bounds are the first argument of a call, its reductions' starts the last
  const lw_call_result *results;
  uint32_t num_inputs;
  uint32_t num_axes;
  uint32_t num_results;
  uint32_t shape;        // of the result: enum lw_call_shape
  uint32_t args_bytes;
  uint32_t chunk_offset; // of the iterations that a work-item adds up, if there are reductions
  const char *device;    // what LANEWISE_DEVICE must be; null for unset
  PyObject *array_type;  // NumPy's
  PyObject *missed;      // returned for a call that isn't made here
  PyObject *unset;       // an output that no value was assigned to
  PyObject *finish;      // called with the number of a launch that isn't done at once, 0 of one whose trial asks, and the arguments
} lw_call_plan;

typedef struct lw_call lw_call;

// A function of Python that makes calls by a plan, which is copied, and which it keeps alive; `call` is for
// lw_call_add. Null with Python's error set where memory is short.
LW_EXPORT PyObject *lw_call_new(const lw_call_plan *plan, lw_call **call);

// How the loops are launched if they have these counts (for no loops: zeros). Both are copied; `start` and `abandon`
// are lw_start and lw_abandon. Forgotten where memory is short, or there are too many.
LW_EXPORT void lw_call_add(lw_call *call, const int64_t counts[LW_MOST_AXES], int64_t chunk, const lw_request *request,
                           int64_t (*start)(lw_pool *, const lw_request *, const void *), lw_pool *pool,
                           void (*abandon)(lw_pool *));

#endif
