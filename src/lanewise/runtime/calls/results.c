// SPDX-License-Identifier: Apache-2.0
// What a launch leaves in scratch memory, as values of Python.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

enum { OUTPUT_BYTES = 16, HAS_VALUE = 8 }; // an output: the value, and whether it has one

#define FOLD(T, result, expression)                                                                                   \
  do {                                                                                                                 \
    T *values = (T *)data;                                                                                             \
    for (uint64_t n = count, half; n > 1; n = half) {                                                                  \
      half = (n + 1) / 2;                                                                                              \
      for (uint64_t i = 0; i < n - half; i++) {                                                                        \
        T a = values[i], b = values[half + i];                                                                         \
        values[i] = (expression);                                                                                      \
      }                                                                                                                \
    }                                                                                                                  \
    T a = start, b = values[0];                                                                                        \
    result = (expression);                                                                                             \
  } while (0)

#define FOLD_FLOATS(T)                                                                                                 \
  static T fold_##T(uint8_t operation, void *data, uint64_t count, T start) {                                          \
    T result = start;                                                                                                  \
    switch (operation) {                                                                                               \
    case '+': FOLD(T, result, a + b); break;                                                                           \
    case '*': FOLD(T, result, a *b); break;                                                                            \
    case 'm': FOLD(T, result, a <= b || b != b ? a : b); break;                                                        \
    case 'M': FOLD(T, result, a >= b || b != b ? a : b); break;                                                        \
    }                                                                                                                  \
    return result;                                                                                                     \
  }
FOLD_FLOATS(float)
FOLD_FLOATS(double)

// Integers of Python's loops wrap, as NumPy's do.
#define FOLD_INTEGERS(T, U)                                                                                            \
  static T fold_##T(uint8_t operation, void *data, uint64_t count, T start) {                                          \
    T result = start;                                                                                                  \
    switch (operation) {                                                                                               \
    case '+': FOLD(T, result, (T)((U)a + (U)b)); break;                                                                \
    case '*': FOLD(T, result, (T)((U)a * (U)b)); break;                                                                \
    case 'm': FOLD(T, result, a <= b ? a : b); break;                                                                  \
    case 'M': FOLD(T, result, a >= b ? a : b); break;                                                                  \
    case '&': FOLD(T, result, a & b); break;                                                                           \
    case '|': FOLD(T, result, a | b); break;                                                                           \
    case '^': FOLD(T, result, a ^ b); break;                                                                           \
    }                                                                                                                  \
    return result;                                                                                                     \
  }
FOLD_INTEGERS(int32_t, uint32_t)
FOLD_INTEGERS(int64_t, uint64_t)

// The value of a reduction, from its start and the partial results, which are overwritten: a tree by halves, as
// fold.py has it. The codes are those for which a plan may have a fold.
static void fold(const lw_call_result *result, void *data, uint64_t count, char start[8]) {
#define WITH(T)                                                                                                        \
  do {                                                                                                                 \
    T value;                                                                                                           \
    memcpy(&value, start, sizeof value);                                                                               \
    value = fold_##T(result->fold, data, count, value);                                                                \
    memcpy(start, &value, sizeof value);                                                                               \
  } while (0)
  switch (result->code) {
  case 'd': WITH(double); break;
  case 'f': WITH(float); break;
  case 'i': WITH(int32_t); break;
  case 'q': WITH(int64_t); break;
  }
#undef WITH
}

#define READ(T, place)                                                                                                 \
  ({                                                                                                                   \
    T value;                                                                                                           \
    memcpy(&value, place, sizeof value);                                                                               \
    value;                                                                                                             \
  })

static PyObject *python_number(uint8_t code, const char *place) {
  switch (code) {
  case 'd': return PyFloat_FromDouble(READ(double, place));
  case 'f': return PyFloat_FromDouble(READ(float, place));
  case '?': return PyBool_FromLong(*place != 0);
  case 'b': return PyLong_FromLongLong(READ(int8_t, place));
  case 'B': return PyLong_FromLongLong(READ(uint8_t, place));
  case 'h': return PyLong_FromLongLong(READ(int16_t, place));
  case 'H': return PyLong_FromLongLong(READ(uint16_t, place));
  case 'i': return PyLong_FromLongLong(READ(int32_t, place));
  case 'I': return PyLong_FromLongLong(READ(uint32_t, place));
  case 'Q': return PyLong_FromUnsignedLongLong(READ(uint64_t, place));
  default: return PyLong_FromLongLong(READ(int64_t, place));
  }
}

// Null with Python's error set if it can't be made.
static PyObject *value_of(const lw_call_result *result, const char *place) {
  PyObject *number = python_number(result->code, place);
  if (number == NULL || result->type == NULL)
    return number;
  PyObject *value = PyObject_CallFunctionObjArgs(result->type, number, NULL);
  Py_DecRef(number);
  return value;
}

static PyObject *output_of(const lw_call_plan *plan, uint32_t i, const char *scratch) {
  const char *place = scratch + (size_t)i * OUTPUT_BYTES;
  if (place[HAS_VALUE])
    return value_of(&plan->results[i], place);
  PyObject *none = plan->shape == LW_ONE ? &_Py_NoneStruct : plan->unset;
  Py_IncRef(none);
  return none;
}

// The results of a launch without loops over a grid.
static PyObject *outputs_of(const lw_call_plan *plan, const char *scratch) {
  if (plan->shape == LW_ONE)
    return output_of(plan, 0, scratch);
  PyObject *list = PyList_New(plan->num_results);
  for (uint32_t i = 0; list != NULL && i < plan->num_results; i++) {
    PyObject *value = output_of(plan, i, scratch);
    if (value == NULL) {
      Py_DecRef(list);
      return NULL;
    }
    PyList_SetItem(list, i, value);
  }
  return list;
}

// The values of reductions. `starts` are those that were packed, 8 bytes each.
static PyObject *reductions_of(const lw_call_plan *plan, char *scratch, uint64_t items, char (*starts)[8]) {
  PyObject *list = PyList_New(plan->num_results);
  for (uint32_t i = 0; list != NULL && i < plan->num_results; i++) {
    fold(&plan->results[i], scratch + i * items * 8, items, starts[i]);
    PyObject *value = value_of(&plan->results[i], starts[i]);
    if (value == NULL) {
      Py_DecRef(list);
      return NULL;
    }
    PyList_SetItem(list, i, value);
  }
  return list;
}
