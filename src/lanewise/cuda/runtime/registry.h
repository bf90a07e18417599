// SPDX-License-Identifier: Apache-2.0
// A table from addresses of host code to what was registered for them, read without a lock at each launch.
#ifndef LANEWISE_CUDART_REGISTRY_H
#define LANEWISE_CUDART_REGISTRY_H

namespace lw_cudart {

// `T` has a member `module`. All of it may be zero.
template <class T> struct Registry {
  struct Slot {
    const void *key;
    T *value; // null: forgotten
  };
  struct Table {
    size_t room; // a power of two
    size_t used;
    Slot slots[1];
  };
  Lock lock;
  Table *table; // replaced when it grows; the old one stays, since somebody may read it

  static size_t place(const Table *table, const void *key) {
    uint64_t hash = reinterpret_cast<uint64_t>(key) * 0x9e3779b97f4a7c15u;
    return static_cast<size_t>(hash >> 32) & (table->room - 1);
  }

  static void insert(Table *table, const void *key, T *value) {
    size_t i = place(table, key);
    while (table->slots[i].key && table->slots[i].key != key)
      i = (i + 1) & (table->room - 1);
    table->used += !table->slots[i].key;
    __atomic_store_n(&table->slots[i].value, value, __ATOMIC_RELEASE);
    __atomic_store_n(&table->slots[i].key, key, __ATOMIC_RELEASE);
  }

  void add(const void *key, T *value) {
    Held held(lock);
    if (!table || 2 * (table->used + 1) > table->room) {
      size_t room = table ? 2 * table->room : 64;
      Table *larger = static_cast<Table *>(calloc(1, sizeof(Table) + room * sizeof(Slot)));
      if (!larger)
        return;
      larger->room = room;
      for (size_t i = 0; table && i < table->room; ++i)
        if (table->slots[i].key && table->slots[i].value)
          insert(larger, table->slots[i].key, table->slots[i].value);
      __atomic_store_n(&table, larger, __ATOMIC_RELEASE);
    }
    insert(table, key, value);
  }

  T *find(const void *key) {
    Table *known = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
    if (!known || !key)
      return nullptr;
    for (size_t i = place(known, key);; i = (i + 1) & (known->room - 1)) {
      const void *there = __atomic_load_n(&known->slots[i].key, __ATOMIC_ACQUIRE);
      if (there == key)
        return __atomic_load_n(&known->slots[i].value, __ATOMIC_ACQUIRE);
      if (!there)
        return nullptr;
    }
  }

  template <class Owner> void forget(const Owner *module) {
    Held held(lock);
    for (size_t i = 0; table && i < table->room; ++i)
      if (table->slots[i].key && table->slots[i].value && table->slots[i].value->module == module)
        __atomic_store_n(&table->slots[i].value, static_cast<T *>(nullptr), __ATOMIC_RELEASE);
  }

  template <class Visit> void each(Visit visit) {
    for (size_t i = 0; table && i < table->room; ++i)
      if (table->slots[i].key && table->slots[i].value)
        visit(table->slots[i].value);
  }
};

} // namespace lw_cudart

#endif
