// SPDX-License-Identifier: Apache-2.0
// The arguments of a call: compared with those of the plan, and packed. All functions return 0 for a call to miss;
// Python's error may then be set.
#include "calls.h"

#include <string.h>

struct extent {
  uintptr_t start, end;
};

// Stores a number by its code.
static int pack_number(char code, PyObject *value, char *place) {
  if (code == 'd' || code == 'f') {
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred())
      return 0;
    float narrow = (float)number;
    code == 'd' ? memcpy(place, &number, 8) : memcpy(place, &narrow, 4);
    return 1;
  }
  if (code == '?') {
    int truth = PyObject_IsTrue(value);
    *place = (char)truth;
    return truth >= 0;
  }
  if (code == 'Q') {
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL)
      return 0;
    unsigned long long number = PyLong_AsUnsignedLongLong(whole);
    Py_DecRef(whole);
    memcpy(place, &number, 8);
    return !(number == (unsigned long long)-1 && PyErr_Occurred());
  }
  long long number = PyLong_AsLongLong(value);
  if (number == -1 && PyErr_Occurred())
    return 0;
  // NumPy's narrow integers: they fit, since the value has that type.
  memcpy(place, &number, code == 'q' ? 8 : code == 'i' || code == 'I' ? 4 : code == 'h' || code == 'H' ? 2 : 1);
  return 1;
}

static int same_type(PyObject *value, PyObject *type) {
  PyObject *found = PyObject_Type(value);
  Py_DecRef(found); // the value keeps it alive
  return found == type;
}

// What a reduction starts with. Its type may be wider than the result's, as Python's int is wider than an int32.
static int pack_start(const lw_call_result *result, PyObject *value, char *place) {
  if (!same_type(value, result->start_type))
    return 0;
  if (result->code == 'i') {
    long long number = PyLong_AsLongLong(value);
    if (number < INT32_MIN || number > INT32_MAX)
      return 0;
  }
  return pack_number((char)result->code, value, place);
}

static int is_contiguous(const Py_buffer *buffer) {
  if (buffer->len == 0)
    return 1;
  Py_ssize_t expected = buffer->itemsize;
  for (int axis = buffer->ndim - 1; axis >= 0; axis--) {
    if (buffer->shape[axis] == 1)
      continue;
    if (buffer->strides[axis] != expected)
      return 0;
    expected *= buffer->shape[axis];
  }
  return 1;
}

static int is_dense(const Py_buffer *buffer) {
  return buffer->ndim != 0 && buffer->strides[buffer->ndim - 1] == buffer->itemsize;
}

// Every element lies at a multiple of its size.
static int is_aligned(const Py_buffer *buffer, uint32_t item_bytes) {
  uintptr_t bits = (uintptr_t)buffer->buf;
  for (int axis = 0; axis < buffer->ndim; axis++)
    bits |= (uintptr_t)buffer->strides[axis];
  return (bits & (item_bytes - 1)) == 0;
}

static struct extent extent_of_buffer(const Py_buffer *buffer) {
  uintptr_t start = (uintptr_t)buffer->buf, end = start + (uintptr_t)buffer->itemsize;
  if (buffer->len == 0)
    return (struct extent){start, start};
  for (int axis = 0; axis < buffer->ndim; axis++) {
    Py_ssize_t reach = (buffer->shape[axis] - 1) * buffer->strides[axis];
    if (reach < 0)
      start += (uintptr_t)reach;
    else
      end += (uintptr_t)reach;
  }
  return (struct extent){start, end};
}

// Extends an extent to the arrays that `array` is a view of.
static int extend_to_bases(PyObject *array, PyObject *array_type, struct extent *extent) {
  Py_IncRef(array);
  for (;;) {
    PyObject *base = PyObject_GetAttrString(array, "base");
    Py_DecRef(array);
    if (base == NULL)
      return 0;
    int is_array = base == &_Py_NoneStruct ? 0 : PyObject_IsInstance(base, array_type);
    Py_buffer buffer;
    if (is_array <= 0 || PyObject_GetBuffer(base, &buffer, PyBUF_STRIDES) != 0) {
      Py_DecRef(base);
      return is_array == 0;
    }
    struct extent whole = extent_of_buffer(&buffer);
    PyBuffer_Release(&buffer);
    extent->start = whole.start < extent->start ? whole.start : extent->start;
    extent->end = whole.end > extent->end ? whole.end : extent->end;
    array = base;
  }
}

static int pack_array(const lw_call_input *input, PyObject *value, char *args, struct extent *extent) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(value, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0)
    return 0;
  int fits = buffer.format != NULL && (uint8_t)buffer.format[0] == input->code && buffer.format[1] == 0 &&
             buffer.itemsize == input->item_bytes && buffer.ndim == input->dimensions &&
             !buffer.readonly == input->is_writeable && is_contiguous(&buffer) == input->is_contiguous &&
             (input->is_contiguous || is_dense(&buffer) == input->is_dense) && is_aligned(&buffer, input->item_bytes);
  if (fits) {
    char *place = args + input->offset;
    size_t bytes = (size_t)buffer.ndim * sizeof(int64_t);
    memcpy(place, &buffer.buf, sizeof buffer.buf);
    if (bytes != 0) {
      memcpy(place + 8, buffer.shape, bytes);
      if (input->has_strides)
        memcpy(place + 8 + bytes, buffer.strides, bytes);
    }
    *extent = extent_of_buffer(&buffer);
  }
  PyBuffer_Release(&buffer);
  return fits;
}

// No array that is written to overlaps another.
static int are_apart(const lw_call_plan *plan, PyObject *const *values, struct extent *extents) {
  uint32_t arrays = 0, written = 0;
  for (uint32_t i = 0; i < plan->num_inputs; i++) {
    arrays += plan->inputs[i].is_array;
    written += plan->inputs[i].is_written;
  }
  if (written == 0 || arrays == 1)
    return 1;
  for (uint32_t i = 0; i < plan->num_inputs; i++)
    if (plan->inputs[i].is_array && !extend_to_bases(values[i], plan->array_type, &extents[i]))
      return 0;
  for (uint32_t i = 0; i < plan->num_inputs; i++)
    for (uint32_t j = 0; plan->inputs[i].is_written && j < plan->num_inputs; j++)
      if (j != i && plan->inputs[j].is_array && extents[i].start < extents[j].end && extents[j].start < extents[i].end)
        return 0;
  return 1;
}

static int pack_inputs(const lw_call_plan *plan, PyObject *const *values, char *args, struct extent *extents) {
  for (uint32_t i = 0; i < plan->num_inputs; i++) {
    const lw_call_input *input = &plan->inputs[i];
    if (!same_type(values[i], input->type))
      return 0;
    if (input->is_array ? !pack_array(input, values[i], args, &extents[i])
                        : !pack_number((char)input->code, values[i], args + input->offset))
      return 0;
  }
  return are_apart(plan, values, extents);
}

// ---- Loops over ranges -------------------------------------------------------------------------------------------

enum { LIMIT_BITS = 62 }; // counts are computed without overflow

static int number_of(PyObject *bounds, Py_ssize_t place, int64_t *number) {
  PyObject *item = PyTuple_GetItem(bounds, place);
  *number = item == NULL ? -1 : PyLong_AsLongLong(item);
  return !(*number == -1 && PyErr_Occurred()) && *number < (INT64_C(1) << LIMIT_BITS) &&
         *number > -(INT64_C(1) << LIMIT_BITS);
}

static int pack_axis(const lw_call_axis *axis, PyObject *bounds, char *args, int64_t *count) {
  int64_t start = 0, stop, step = 1;
  Py_ssize_t given = PyTuple_Size(bounds);
  if (!(given == 1 ? number_of(bounds, 0, &stop) : number_of(bounds, 0, &start) && number_of(bounds, 1, &stop)))
    return 0;
  if (given == 3 && !number_of(bounds, 2, &step))
    return 0;
  if (step > 0)
    *count = stop > start ? (stop - start - 1) / step + 1 : 0;
  else if (step < 0)
    *count = start > stop ? (start - stop - 1) / -step + 1 : 0;
  else
    return 0;
  memcpy(args + axis->offset, count, 8);
  memcpy(args + axis->offset + 8, &start, 8);
  if (axis->has_step)
    memcpy(args + axis->offset + 16, &step, 8);
  return *count > 0;
}

static int pack_axes(const lw_call_plan *plan, PyObject *bounds, char *args, int64_t counts[LW_MOST_AXES]) {
  for (uint32_t i = 0; i < plan->num_axes; i++) {
    PyObject *each = PyTuple_GetItem(bounds, i);
    if (each == NULL || !pack_axis(&plan->axes[i], each, args, &counts[i]))
      return 0;
  }
  return 1;
}
