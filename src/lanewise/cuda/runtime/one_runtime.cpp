// SPDX-License-Identifier: Apache-2.0
// The copies of this library in a process find each other by a note of each in its executable or library: it is there
// whatever symbols these export. The first one that is used takes the lead, and all others of the same build jump there.
#include "one_runtime.h"
#include "api.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

// glibc before 2.34 has it in libdl, which a program may not be linked with.
#pragma weak dladdr
#pragma weak dlopen

#ifndef LW_BUILD_BYTES // of compile_cudart in cuda/libraries.py
#error "LW_BUILD_BYTES is not defined"
#endif

namespace lw_cudart {

// What a note of type 1 leads to; other layouts get other types.
struct Runtime {
  uint8_t build[16];
  const void *const *entries;
  int leads;
};
enum : uint32_t { NOTE_TYPE = 1 };
static const char note_name[] = "Lanewise";

LW_HIDDEN Runtime __lwRuntime;
Runtime __lwRuntime = {{LW_BUILD_BYTES}, __lwOwnEntries, 0};

__asm__(".pushsection .note.lanewise,\"a\",%note\n"
        ".balign 4\n"
        ".long 9, 8, 1\n"
        ".asciz \"Lanewise\"\n"
        ".balign 4\n"
        ".quad __lwRuntime - .\n"
        ".popsection\n");

struct Search {
  Runtime *leader;         // of the same build
  Runtime *stranger;       // that leads, of another one
  char stranger_name[256]; // its executable or library
  char own_name[256];
};

static void name_object(char (&name)[256], const dl_phdr_info *object) {
  const char *path = object->dlpi_name;
  snprintf(name, sizeof name, "%s", path && path[0] ? path : "the program");
}

static void look_at(Runtime *runtime, const dl_phdr_info *object, Search *search) {
  bool same = memcmp(runtime->build, __lwRuntime.build, sizeof runtime->build) == 0;
  if (runtime == &__lwRuntime)
    name_object(search->own_name, object);
  if (!__atomic_load_n(&runtime->leads, __ATOMIC_ACQUIRE))
    return;
  if (same) {
    search->leader = runtime;
  } else {
    search->stranger = runtime;
    name_object(search->stranger_name, object);
  }
}

// The notes of a segment (System V ABI, "Note Section").
static void look_through(const char *at, size_t bytes, size_t alignment, const dl_phdr_info *object, Search *search) {
  auto padded = [&](size_t length) { return (length + alignment - 1) / alignment * alignment; };
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    memcpy(&head, at, sizeof head);
    const char *name = at + sizeof head, *description = at + padded(sizeof head + head.n_namesz);
    size_t whole = static_cast<size_t>(description - at) + padded(head.n_descsz);
    if (head.n_type == NOTE_TYPE && head.n_namesz == sizeof note_name && head.n_descsz == sizeof(int64_t) &&
        memcmp(name, note_name, sizeof note_name) == 0) {
      int64_t distance;
      memcpy(&distance, description, sizeof distance);
      look_at(reinterpret_cast<Runtime *>(reinterpret_cast<uintptr_t>(description) + static_cast<uintptr_t>(distance)),
              object, search);
    }
    if (whole >= bytes)
      return;
    at += whole;
    bytes -= whole;
  }
}

static int look(dl_phdr_info *object, size_t, void *search) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      look_through(reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz,
                   segment.p_align == 8 ? 8 : 4, object, static_cast<Search *>(search));
  }
  return 0;
}

// The loader calls it in one thread at a time, so that no two copies take the lead.
static int look_and_lead(dl_phdr_info *, size_t, void *data) {
  Search *search = static_cast<Search *>(data);
  dl_iterate_phdr(look, search);
  if (!search->leader)
    __atomic_store_n(&__lwRuntime.leads, 1, __ATOMIC_RELEASE);
  return 1;
}

// Others jump here: the library must not be unloaded.
static void stay_loaded() {
  Dl_info own;
  if (dladdr && dlopen && dladdr(&__lwRuntime, &own) && own.dli_fname)
    dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

LW_HIDDEN void __lwChooseEntries() {
  Search search = {};
  dl_iterate_phdr(look_and_lead, &search);
  if (!search.leader && search.stranger)
    say("%s: the CUDA runtime in it is of another build of Lanewise than that in %s: they share no memory, streams or "
        "errors; build both by one version",
        search.own_name, search.stranger_name);
  const void *const *entries = search.leader ? search.leader->entries : __lwOwnEntries;
  __atomic_store_n(&__lwEntries, entries, __ATOMIC_RELEASE);
  if (!search.leader)
    stay_loaded();
}

} // namespace lw_cudart
