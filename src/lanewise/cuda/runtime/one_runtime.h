// SPDX-License-Identifier: Apache-2.0
// One runtime for a process: an executable and libraries that have this library linked in share the first of them that
// is used. cuda/entry_points.py makes each function of the API a jump through a table of one of them.
#ifndef LANEWISE_CUDART_ONE_RUNTIME_H
#define LANEWISE_CUDART_ONE_RUNTIME_H

#define LW_HIDDEN extern "C" __attribute__((visibility("hidden")))

// The functions of this copy of the library.
LW_HIDDEN const void *const __lwOwnEntries[];
// Those of the copy that the process uses; at first, functions that call __lwChooseEntries.
LW_HIDDEN const void *const *__lwEntries;
LW_HIDDEN void __lwChooseEntries();

// The functions of the driver API by name, in the order of names, and a null name after them. Each is an entry point.
struct NamedEntry {
  const char *name;
  void *function;
};
LW_HIDDEN const NamedEntry __lwNamedEntries[];

#endif
