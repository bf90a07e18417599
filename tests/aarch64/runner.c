// SPDX-License-Identifier: Apache-2.0
// A device in a process of its own: memory, machine code and launches, by commands on standard input.
//
// It is linked statically with the runtime core, so that it needs nothing of the system that it runs on. Machine code
// comes as the shared objects of saved modules, which are loaded here, since a static program has no loader.
//
// A command is six words of 64 bits, little-endian: its letter, five operands; then bytes. An answer is one word, and
// what is said below.
//
//   A bytes                 allocate, zeroed; the answer is the address
//   F address               free
//   W address bytes, data   write
//   R address bytes         read; then the data
//   L bytes, data           load a shared object; 0 if it can't be; then the addresses of lw_group, lw_variables,
//                           lw_functions (0: none)
//   X bytes, data           launch: a request as lw_request has it, then its arguments; the kind of its outcome; then
//                           the message (LW_TEXT_BYTES), the length of its output as a word, and the output
#include "lanewise_rt.h"

#include <elf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void fail(const char *what, const char *name) {
  fprintf(stderr, "runner: %s %s\n", what, name);
  exit(1);
}

static void get(void *data, size_t bytes) {
  if (bytes && fread(data, bytes, 1, stdin) != 1)
    fail("input ends", "early");
}

static void put(const void *data, size_t bytes) {
  if (bytes && fwrite(data, bytes, 1, stdout) != 1)
    fail("output can't be", "written");
}

static void answer(uint64_t word) { put(&word, sizeof word); }

// ---- Shared objects ----------------------------------------------------------------------------------------

// What machine code may call of libc.
static const struct {
  const char *name;
  void *address;
} LIBRARY[] = {
#define OWN(name) {#name, (void *)name}
    OWN(memcpy), OWN(memmove), OWN(memset), OWN(memcmp), OWN(fma), OWN(fmaf), OWN(fmod), OWN(fmodf),
    OWN(sqrt),   OWN(sqrtf),   OWN(rint),   OWN(rintf),  OWN(ldexp), OWN(ldexpf),
};

static uint64_t of_library(const char *name) {
  for (size_t i = 0; i < sizeof LIBRARY / sizeof *LIBRARY; ++i)
    if (strcmp(LIBRARY[i].name, name) == 0)
      return (uint64_t)LIBRARY[i].address;
  fail("machine code needs", name);
  return 0;
}

struct object {
  char *base;
  const Elf64_Sym *symbols;
  const char *names;
  size_t count;
};

static uint64_t symbol_address(const struct object *object, const Elf64_Sym *symbol) {
  if (symbol->st_shndx != SHN_UNDEF)
    return (uint64_t)object->base + symbol->st_value;
  return of_library(object->names + symbol->st_name);
}

// ELF for the Arm 64-bit Architecture, section 5.7.
static void relocate(const struct object *object, const Elf64_Rela *relocation, size_t count) {
  for (size_t i = 0; i < count; ++i, ++relocation) {
    uint64_t *place = (uint64_t *)(object->base + relocation->r_offset);
    switch (ELF64_R_TYPE(relocation->r_info)) {
    case R_AARCH64_RELATIVE:
      *place = (uint64_t)object->base + (uint64_t)relocation->r_addend;
      break;
    case R_AARCH64_ABS64:
    case R_AARCH64_GLOB_DAT:
    case R_AARCH64_JUMP_SLOT:
      *place = symbol_address(object, object->symbols + ELF64_R_SYM(relocation->r_info)) + (uint64_t)relocation->r_addend;
      break;
    default:
      fail("a relocation is", "unknown");
    }
  }
}

static int protection(uint32_t flags) {
  return (flags & PF_R ? PROT_READ : 0) | (flags & PF_W ? PROT_WRITE : 0) | (flags & PF_X ? PROT_EXEC : 0);
}

// The segments of a file in memory that is writable as yet.
static char *map_segments(const char *file) {
  const Elf64_Ehdr *head = (const void *)file;
  const Elf64_Phdr *segments = (const void *)(file + head->e_phoff);
  size_t end = 0;
  for (int i = 0; i < head->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr + segments[i].p_memsz > end)
      end = segments[i].p_vaddr + segments[i].p_memsz;
  char *base = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    fail("no memory for", "machine code");
  for (int i = 0; i < head->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD)
      memcpy(base + segments[i].p_vaddr, file + segments[i].p_offset, segments[i].p_filesz);
  return base;
}

static void protect_segments(const char *file, char *base) {
  const Elf64_Ehdr *head = (const void *)file;
  const Elf64_Phdr *segments = (const void *)(file + head->e_phoff);
  for (int i = 0; i < head->e_phnum; ++i) {
    if (segments[i].p_type != PT_LOAD)
      continue;
    uint64_t low = segments[i].p_vaddr & ~(uint64_t)4095, high = segments[i].p_vaddr + segments[i].p_memsz;
    if (mprotect(base + low, high - low, protection(segments[i].p_flags)) != 0)
      fail("can't protect", "machine code");
    __builtin___clear_cache(base + low, base + high);
  }
}

static uint64_t find(const struct object *object, const char *name) {
  for (size_t i = 1; i < object->count; ++i)
    if (object->symbols[i].st_shndx != SHN_UNDEF && strcmp(object->names + object->symbols[i].st_name, name) == 0)
      return (uint64_t)object->base + object->symbols[i].st_value;
  return 0;
}

static void load(const char *file) {
  const Elf64_Ehdr *head = (const void *)file;
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_machine != EM_AARCH64) {
    answer(0);
    return;
  }
  struct object object = {.base = map_segments(file)};
  const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
  for (int i = 0; i < head->e_shnum; ++i)
    if (sections[i].sh_type == SHT_DYNSYM) {
      object.symbols = (const void *)(object.base + sections[i].sh_addr);
      object.names = object.base + sections[sections[i].sh_link].sh_addr;
      object.count = sections[i].sh_size / sizeof *object.symbols;
    }
  for (int i = 0; i < head->e_shnum; ++i)
    if (sections[i].sh_type == SHT_RELA)
      relocate(&object, (const void *)(object.base + sections[i].sh_addr), sections[i].sh_size / sizeof(Elf64_Rela));
  protect_segments(file, object.base);
  answer(1);
  answer(find(&object, "lw_group"));
  answer(find(&object, "lw_variables"));
  answer(find(&object, "lw_functions"));
}

// ---- Launches ----------------------------------------------------------------------------------------------

static lw_pool *pool;

// Of glibc, for pthread_atfork; musl has it not under this name, and nothing here forks.
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *object) {
  (void)before, (void)parent, (void)child, (void)object;
  return 0;
}

static void launch(const char *data) {
  const lw_request *request = (const void *)data;
  static lw_status status;
  memset(&status, 0, sizeof status);
  char *output = NULL;
  int64_t id;
  do
    id = lw_start(pool, request, data + sizeof *request);
  while (id < 0);
  if (id > 0) {
    while (!lw_resume(pool, id, 0))
      ;
    lw_status_of(pool, id, &status);
    output = malloc(status.output_bytes + 1);
    if (status.output_bytes)
      lw_take_output(pool, id, output);
    lw_release(pool, id);
  }
  answer(status.kind);
  put(status.message, sizeof status.message);
  answer(status.output_bytes);
  put(output, status.output_bytes);
  free(output);
}

int main(void) {
  uint64_t command[6];
  pool = lw_pool_create(2);
  while (fread(command, sizeof command, 1, stdin) == 1) {
    char *data;
    switch (command[0]) {
    case 'A':
      answer((uint64_t)lw_allocate(command[1], 1));
      break;
    case 'F':
      answer((uint64_t)lw_free((void *)command[1]));
      break;
    case 'W':
      get((void *)command[1], command[2]);
      answer(0);
      break;
    case 'R':
      answer(0);
      put((const void *)command[1], command[2]);
      break;
    default:
      data = aligned_alloc(64, (command[1] + 127) / 64 * 64);
      get(data, command[1]);
      if (command[0] == 'L')
        load(data);
      else if (command[0] == 'X')
        launch(data);
      else
        fail("a command is", "unknown");
      free(data);
    }
    fflush(stdout);
  }
  return 0;
}
