// SPDX-License-Identifier: Apache-2.0
// What is used of Python's stable ABI (version 3.11). Declared here, since a machine that runs Python need not have its
// headers.
#ifndef LANEWISE_PYTHON_H
#define LANEWISE_PYTHON_H

#include <stddef.h>
#include <stdint.h>

typedef struct _object PyObject;
typedef ptrdiff_t Py_ssize_t;

typedef struct {
  void *buf;
  PyObject *obj;
  Py_ssize_t len;
  Py_ssize_t itemsize;
  int readonly;
  int ndim;
  char *format;
  Py_ssize_t *shape;
  Py_ssize_t *strides;
  Py_ssize_t *suboffsets;
  void *internal;
} Py_buffer;

enum { PyBUF_FORMAT = 0x4, PyBUF_STRIDES = 0x18 };

typedef struct {
  const char *ml_name;
  PyObject *(*ml_meth)(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
  int ml_flags;
  const char *ml_doc;
} PyMethodDef;

enum { METH_FASTCALL = 0x80 };

extern PyObject _Py_NoneStruct;

void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *);
PyObject *PyObject_Type(PyObject *);
PyObject *PyObject_GetAttrString(PyObject *, const char *);
PyObject *PyObject_CallFunctionObjArgs(PyObject *, ...);
PyObject *PyObject_CallObject(PyObject *, PyObject *arguments);
int PyObject_IsTrue(PyObject *);
int PyObject_IsInstance(PyObject *, PyObject *type);
int PyObject_GetBuffer(PyObject *, Py_buffer *, int flags);
void PyBuffer_Release(Py_buffer *);

long long PyLong_AsLongLong(PyObject *);
unsigned long long PyLong_AsUnsignedLongLong(PyObject *);
PyObject *PyLong_FromLongLong(long long);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long);
double PyFloat_AsDouble(PyObject *);
PyObject *PyFloat_FromDouble(double);
PyObject *PyBool_FromLong(long);
PyObject *PyNumber_Index(PyObject *);

Py_ssize_t PyTuple_Size(PyObject *);
PyObject *PyTuple_GetItem(PyObject *, Py_ssize_t);
PyObject *PyTuple_New(Py_ssize_t);
int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *);
PyObject *PyList_New(Py_ssize_t);
int PyList_SetItem(PyObject *, Py_ssize_t, PyObject *);

PyObject *PyErr_Occurred(void);
int PyErr_CheckSignals(void);
void PyErr_Clear(void);
PyObject *PyErr_NoMemory(void);

void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);

PyObject *PyCFunction_NewEx(PyMethodDef *, PyObject *self, PyObject *module);
PyObject *PyCapsule_New(void *, const char *name, void (*destructor)(PyObject *));
void *PyCapsule_GetPointer(PyObject *, const char *name);

#endif
