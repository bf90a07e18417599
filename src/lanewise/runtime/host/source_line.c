// SPDX-License-Identifier: Apache-2.0
// The line of the source that an instruction of a kernel comes from, by the line table in the file of the executable or
// library that it is part of. Tables of other versions, such as those of host code, are passed over.
//
// Source: DWARF Debugging Information Format, version 4, section 6.2; System V ABI, "Section Header".
#include "host.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DWARF_VERSION = 4 }; // which workgroup/lines.py asks for
enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
enum { END_SEQUENCE = 1, SET_ADDRESS };

// Bytes to read. What is read after their end is 0, and `at` stays there.
struct reader {
  const uint8_t *at, *end;
};

static uint64_t read_number(struct reader *reader, size_t bytes) {
  uint64_t value = 0;
  if ((size_t)(reader->end - reader->at) < bytes) {
    reader->at = reader->end;
    return 0;
  }
  memcpy(&value, reader->at, bytes); // little-endian
  reader->at += bytes;
  return value;
}

static uint64_t read_leb128(struct reader *reader, bool is_signed) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = (uint8_t)read_number(reader, 1);
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte >= 0x80);
  if (is_signed && (byte & 0x40) && shift < 64)
    value |= ~(uint64_t)0 << shift;
  return value;
}

// A name, which ends with a zero; "" after the end.
static const char *read_name(struct reader *reader) {
  const uint8_t *name = reader->at, *zero = memchr(name, 0, (size_t)(reader->end - name));
  if (zero == NULL) {
    reader->at = reader->end;
    return "";
  }
  reader->at = zero + 1;
  return (const char *)name;
}

struct line_header {
  uint8_t unit, span, first;
  int8_t base;
  uint8_t lengths[256];
  struct reader folders, files; // their names
};

// Name number `wanted`, from 1, of a table; in that of files three numbers come after each, the first the folder's.
static const char *nth_name(struct reader names, uint64_t wanted, bool is_file, uint64_t *folder) {
  for (uint64_t number = 1;; ++number) {
    const char *name = read_name(&names);
    if (*name == '\0')
      return NULL;
    if (is_file) {
      *folder = read_leb128(&names, false);
      read_leb128(&names, false);
      read_leb128(&names, false);
    }
    if (number == wanted)
      return name;
  }
}

static void write_file_name(const struct line_header *header, uint64_t number, char *into, size_t room) {
  uint64_t folder_number = 0;
  const char *name = nth_name(header->files, number, true, &folder_number);
  const char *folder = folder_number > 0 ? nth_name(header->folders, folder_number, false, NULL) : NULL;
  if (name == NULL)
    *into = '\0';
  else if (folder == NULL || *name == '/')
    snprintf(into, room, "%s", name);
  else
    snprintf(into, room, "%s/%s", folder, name);
}

static void skip_names(struct reader *reader, bool are_files) {
  while (*read_name(reader) != '\0')
    for (int i = 0; are_files && i < 3; ++i)
      read_leb128(reader, false);
}

struct line_row {
  uint64_t address, file;
  int64_t line;
  bool is_known; // false before the first row of a sequence
};

// Runs the program of one unit until `wanted` lies between two of its rows: then true, and `found` is the first.
static bool run_line_program(struct reader program, const struct line_header *header, uint64_t wanted,
                             struct line_row *found) {
  static const struct line_row start = {.file = 1, .line = 1};
  struct line_row now = start, last = start;
  while (program.at < program.end) {
    bool is_row = false, ends = false;
    uint8_t code = (uint8_t)read_number(&program, 1);
    if (code >= header->first) {
      now.address += header->unit * (uint64_t)((code - header->first) / header->span);
      now.line += header->base + (code - header->first) % header->span;
      is_row = true;
    } else if (code == 0) {
      uint64_t length = read_leb128(&program, false);
      struct reader extended = {program.at, program.end};
      program.at += length <= (uint64_t)(program.end - program.at) ? length : (uint64_t)(program.end - program.at);
      extended.end = program.at;
      uint64_t operation = read_number(&extended, 1);
      if (operation == SET_ADDRESS)
        now.address = read_number(&extended, 8);
      is_row = ends = operation == END_SEQUENCE;
    } else if (code == COPY) {
      is_row = true;
    } else if (code == ADVANCE_PC) {
      now.address += header->unit * read_leb128(&program, false);
    } else if (code == ADVANCE_LINE) {
      now.line += (int64_t)read_leb128(&program, true);
    } else if (code == SET_FILE) {
      now.file = read_leb128(&program, false);
    } else if (code == CONST_ADD_PC) {
      now.address += header->unit * (uint64_t)((255 - header->first) / header->span);
    } else if (code == FIXED_ADVANCE_PC) {
      now.address += read_number(&program, 2);
    } else {
      for (int i = 0; i < header->lengths[code]; ++i)
        read_leb128(&program, false);
    }
    if (!is_row)
      continue;
    if (last.is_known && last.address <= wanted && wanted < now.address) {
      *found = last;
      return true;
    }
    last = ends ? start : now;
    last.is_known = !ends;
    if (ends)
      now = start;
  }
  return false;
}

// The place of an instruction, whose address is as the file has it.
static bool find_line(struct reader table, uint64_t wanted, char *file, size_t room, uint32_t *line) {
  while (table.at < table.end) {
    uint64_t bytes = read_number(&table, 4);
    if (bytes > (uint64_t)(table.end - table.at)) // 64-bit DWARF, or damaged
      return false;
    struct reader unit = {table.at, table.at + bytes};
    table.at += bytes;
    if (read_number(&unit, 2) != DWARF_VERSION)
      continue;
    uint64_t header_bytes = read_number(&unit, 4);
    if (header_bytes > (uint64_t)(unit.end - unit.at))
      continue;
    struct reader program = {unit.at + header_bytes, unit.end};
    struct line_header header = {.unit = (uint8_t)read_number(&unit, 1)};
    read_number(&unit, 2); // operations of an instruction; is_stmt
    header.base = (int8_t)read_number(&unit, 1);
    header.span = (uint8_t)read_number(&unit, 1);
    header.first = (uint8_t)read_number(&unit, 1);
    for (int code = 1; code < header.first; ++code)
      header.lengths[code] = (uint8_t)read_number(&unit, 1);
    header.folders = unit;
    skip_names(&unit, false);
    header.files = unit;
    struct line_row found;
    if (header.span == 0 || header.first == 0 || !run_line_program(program, &header, wanted, &found))
      continue;
    if (found.line <= 0)
      return false;
    write_file_name(&header, found.file, file, room);
    *line = (uint32_t)found.line;
    return *file != '\0';
  }
  return false;
}

// The line table in a file of `bytes` bytes; empty if it has none.
static struct reader line_table(const uint8_t *content, size_t bytes) {
  struct reader none = {NULL, NULL};
  Elf64_Ehdr head;
  if (bytes < sizeof head)
    return none;
  memcpy(&head, content, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff > bytes ||
      (bytes - head.e_shoff) / sizeof(Elf64_Shdr) < head.e_shnum || head.e_shstrndx >= head.e_shnum)
    return none;
  const uint8_t *sections = content + head.e_shoff;
  Elf64_Shdr names, each;
  memcpy(&names, sections + head.e_shstrndx * sizeof names, sizeof names);
  for (int i = 0; i < head.e_shnum; ++i) {
    memcpy(&each, sections + i * sizeof each, sizeof each);
    static const char name[] = ".debug_line";
    bool is_named = names.sh_offset <= bytes && each.sh_name <= bytes - names.sh_offset &&
                    bytes - names.sh_offset - each.sh_name >= sizeof name &&
                    memcmp(content + names.sh_offset + each.sh_name, name, sizeof name) == 0;
    if (is_named && !(each.sh_flags & SHF_COMPRESSED) && each.sh_offset <= bytes &&
        each.sh_size <= bytes - each.sh_offset)
      return (struct reader){content + each.sh_offset, content + each.sh_offset + each.sh_size};
  }
  return none;
}

// The file that an instruction was loaded from, and its address there.
struct origin {
  uintptr_t instruction;
  char path[4096];
  uint64_t address;
};

static int look_for_origin(struct dl_phdr_info *object, size_t size, void *data) {
  struct origin *origin = data;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || origin->instruction - object->dlpi_addr - segment->p_vaddr >= segment->p_memsz)
      continue;
    snprintf(origin->path, sizeof origin->path, "%s", *object->dlpi_name != '\0' ? object->dlpi_name : "/proc/self/exe");
    origin->address = origin->instruction - object->dlpi_addr;
    return 1;
  }
  return 0;
}

// Writes the file and the line of an instruction; false if they are not known.
static bool source_line(uint64_t instruction, char *file, size_t room, uint32_t *line) {
  struct origin origin = {.instruction = instruction};
  if (instruction == 0 || !dl_iterate_phdr(look_for_origin, &origin))
    return false;
  int descriptor = open(origin.path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool found = false;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size_t bytes = (size_t)status.st_size;
    void *content = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (content != MAP_FAILED) {
      found = find_line(line_table(content, bytes), origin.address, file, room, line);
      munmap(content, bytes);
    }
  }
  if (descriptor >= 0)
    close(descriptor);
  return found;
}
