// SPDX-License-Identifier: Apache-2.0
// A growing array of plain values, for the interfaces in C++ that stand on the host runtime.
#ifndef LANEWISE_LIST_H
#define LANEWISE_LIST_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

namespace lw_host {

template <class T> struct List {
  T *items;
  size_t count;
  size_t room;

  T *begin() const { return items; }
  T *end() const { return items + count; }
  T &operator[](size_t i) const { return items[i]; }

  // False where memory is short; nothing is added then.
  bool add(const T &item) {
    if (count == room) {
      size_t wanted = room ? 2 * room : 8;
      T *moved = static_cast<T *>(realloc(static_cast<void *>(items), wanted * sizeof(T)));
      if (!moved)
        return false;
      items = moved;
      room = wanted;
    }
    items[count++] = item;
    return true;
  }
  bool add_all(const List &other) {
    for (size_t i = 0; i < other.count; ++i)
      if (!add(other.items[i]))
        return false;
    return true;
  }
  bool has(const T &item) const {
    for (size_t i = 0; i < count; ++i)
      if (items[i] == item)
        return true;
    return false;
  }
  void remove(const T &item) {
    for (size_t i = 0; i < count; ++i)
      if (items[i] == item) {
        memmove(items + i, items + i + 1, (count - i - 1) * sizeof(T));
        --count;
        return;
      }
  }
  void clear() { count = 0; }
  void release() {
    free(items);
    items = nullptr;
    count = room = 0;
  }
};

} // namespace lw_host

#endif
