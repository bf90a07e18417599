// SPDX-License-Identifier: Apache-2.0
// Programs in PTX and OpenCL C that come while this one runs: the compile service makes a shared object of their
// machine code.
#include "host.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSED_BY_EXEC = 1 }; // MFD_CLOEXEC, which glibc before 2.27 doesn't know

// A loaded copy of a file, which stays open as long as the module is loaded: dlopen takes files of one name for the same.
// Or the image of a program in PTX.
struct lw_library {
  void *handle;
  int file;
  struct ptx_image *ptx;
};

static int copy_of(const char *path) {
  struct stat status;
  off_t at = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC), copy = -1;
  if (file >= 0 && fstat(file, &status) == 0)
    copy = (int)syscall(SYS_memfd_create, "lanewise module", CLOSED_BY_EXEC);
  while (copy >= 0 && at < status.st_size)
    if (sendfile(copy, file, &at, (size_t)(status.st_size - at)) <= 0) {
      close(copy);
      copy = -1;
    }
  if (file >= 0)
    close(file);
  return copy;
}

// Whether a file has all bytes that its program headers speak of: to load one that was cut off ends the process.
static bool is_whole(int file) {
  struct stat status;
  Elf64_Ehdr head;
  if (fstat(file, &status) != 0 || pread(file, &head, sizeof head, 0) != sizeof head ||
      memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    return false;
  for (uint64_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    off_t at = (off_t)(head.e_phoff + i * sizeof segment);
    if (pread(file, &segment, sizeof segment, at) != sizeof segment ||
        segment.p_offset + segment.p_filesz > (uint64_t)status.st_size)
      return false;
  }
  return true;
}

static void unload(struct lw_library *library) {
  if (library->handle != NULL)
    dlclose(library->handle);
  if (library->file >= 0)
    close(library->file);
  free_ptx_image(library->ptx);
  free(library);
}

// Loads a file, so that each module has variables of its own. Null, with an explanation, if it can't be.
static struct lw_library *load_copy(const char *path) {
  struct lw_library *library = calloc(1, sizeof *library);
  if (library == NULL)
    return NULL;
  char name[32];
  library->file = copy_of(path);
  snprintf(name, sizeof name, "/proc/self/fd/%d", library->file);
  bool whole = library->file >= 0 && is_whole(library->file);
  library->handle = whole ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library->handle != NULL)
    return library;
  explain(LW_INVALID, "%s can't be loaded: %s", path,
          whole ? dlerror() : library->file >= 0 ? "it has been cut off" : "it can't be read");
  unload(library);
  return NULL;
}

// Why code can't be compiled here at all; LW_SUCCESS: it can.
static int32_t require_compiler(void) {
  if (gpu.on)
    return explain(LW_NOT_SUPPORTED, "modules are not supported with LANEWISE_DEVICE=cuda");
  if (!has_loader())
    return explain(LW_NOT_SUPPORTED, "the program is linked without libdl");
  return LW_SUCCESS;
}

static int32_t no_service(void) {
  return explain(LW_NO_KERNEL, "the compile service doesn't answer: %s -m lanewise.cuda.service",
                 *LW_PYTHON ? LW_PYTHON : "python");
}

// Loads what an answer's first line, "library PATH", names, and adds its image.
static int32_t load_answer(const char *line, const lw_image **image, struct lw_library **library) {
  *library = NULL;
  if (line == NULL || strncmp(line, "library ", 8) != 0) {
    bool declined = line != NULL && strncmp(line, "declined ", 9) == 0;
    return explain(LW_INVALID, "%s", declined ? line + 9 : "the compile service's answer can't be read");
  }
  *library = load_copy(line + 8);
  const lw_image *const *found = *library != NULL ? dlsym((*library)->handle, "lw_loaded_image") : NULL;
  int32_t result = found != NULL ? lw_image_add(*found) : LW_INVALID;
  *image = found != NULL ? *found : NULL;
  if (result != LW_SUCCESS && *library != NULL) {
    unload(*library);
    *library = NULL;
  }
  return result;
}

// The same for an answer with PTX, which the driver loads; `after` gets what follows.
static int32_t load_ptx_answer(const char *answer, const char **after, const lw_image **image,
                               struct lw_library **library) {
  int32_t result;
  struct ptx_image *made = read_ptx_image(answer, after, &result);
  if (made == NULL)
    return result;
  struct lw_library *opened = calloc(1, sizeof *opened);
  if (opened == NULL) {
    free_ptx_image(made);
    return explain(LW_NO_MEMORY, "no memory for a program");
  }
  *opened = (struct lw_library){.file = -1, .ptx = made};
  result = lw_image_add(&made->image);
  if (result == LW_SUCCESS)
    result = gpu_load_image(&made->image);
  if (result != LW_SUCCESS) {
    lw_image_remove(&made->image);
    unload(opened);
    return result;
  }
  *image = &made->image;
  *library = opened;
  return LW_SUCCESS;
}

int32_t lw_ptx_open(const char *ptx, const lw_image **image, struct lw_library **library) {
  int32_t result = require_compiler();
  if (result != LW_SUCCESS)
    return result;
  char *answer = ask_service("build " LW_BUILD "\nptx library\nblock 0 0 0\n\n", ptx, strlen(ptx)), *rest = answer;
  if (answer == NULL)
    return no_service();
  result = load_answer(next_line(&rest), image, library);
  free(answer);
  return result;
}

// The OpenCL platform has its own; a library without it makes no such requests, or speaks for the host runtime alone.
__attribute__((weak)) const char lw_opencl_build[] = LW_BUILD;

// Adds a text after a line with the number of its bytes.
static char *add_text(char *at, const char *data, uint64_t bytes) {
  at += sprintf(at, "%llu\n", (unsigned long long)bytes);
  memcpy(at, data, bytes);
  return at + bytes;
}

// Whether a program has the files that it includes with it, as frontend/opencl/held_files.py writes it.
static bool holds_files(const lw_text *program) {
  static const char first[] = "lanewise: a program with its files\n";
  return program->bytes >= sizeof first - 1 && memcmp(program->data, first, sizeof first - 1) == 0;
}

// Whether a program is all in its texts: no word of them includes a file, not even one in two lines.
static bool includes_nothing(const char *options, const lw_text *texts, uint64_t num_texts) {
  static const char *const words[] = {"include", "import", "embed", "imacros", "\\\n", "\\\r"};
  if (num_texts > 0 && holds_files(texts))
    return true;
  for (size_t word = 0; word < sizeof words / sizeof *words; ++word) {
    if (strstr(options, words[word]) != NULL)
      return false;
    for (uint64_t i = 0; i < num_texts; ++i)
      if (memmem(texts[i].data, texts[i].bytes, words[word], strlen(words[word])) != NULL)
        return false;
  }
  return true;
}

// The mapping that the environment names now, which may have changed since the service started: its first line.
static void read_mapping(char *mapping, size_t most) {
  const char *value = getenv("LANEWISE_MAPPING");
  snprintf(mapping, most, "%s", value != NULL ? value : "");
  mapping[strcspn(mapping, "\n")] = '\0';
}

// The service's answer to work on OpenCL C; the caller frees it. Null, with a result, if there is none. With `kept`, an
// answer that was kept will do; it then says whether this is one.
static char *ask_for_opencl(const char *work, uint32_t form, const char *options, const lw_text *texts,
                            uint64_t num_texts, bool *kept, int32_t *result) {
  enum { MOST_PATH = 4096, MOST_LINE = 32, MOST_MAPPING = 128 };
  bool takes_kept = *kept;
  *kept = false;
  *result = require_compiler();
  if (*result != LW_SUCCESS)
    return NULL;
  char folder[MOST_PATH] = "/", head[256 + MOST_MAPPING];
  if (getcwd(folder, sizeof folder) == NULL)
    strcpy(folder, "/");
  uint64_t most = sizeof folder + MOST_LINE + strlen(options);
  for (uint64_t i = 0; i < num_texts; ++i)
    most += MOST_LINE + texts[i].bytes;
  char *content = malloc(most);
  if (content == NULL) {
    *result = explain(LW_NO_MEMORY, "no memory for a program's source");
    return NULL;
  }
  char *at = add_text(strcpy(content, folder) + strlen(folder) + 1, options, strlen(options));
  for (uint64_t i = 0; i < num_texts; ++i)
    at = add_text(at, texts[i].data, texts[i].bytes);
  bool is_ptx = (form & LW_OPENCL_GPU) != 0;
  char mapping[MOST_MAPPING] = "";
  if (!is_ptx)
    read_mapping(mapping, sizeof mapping);
  snprintf(head, sizeof head, "build %s\nopencl %s\ngeneral %d\nsimulated %d\ngpu %u\nany %d\nmapping %s\n\n",
           lw_opencl_build, work, (form & LW_OPENCL_GENERAL) != 0, (form & LW_OPENCL_SIMULATED) != 0,
           is_ptx ? gpu.capability : 0, (form & LW_OPENCL_ANY_LAUNCH) != 0, mapping);
  size_t bytes = (size_t)(at - content);
  const char *program = content + strlen(folder) + 1; // which is the same in any folder if it includes nothing
  size_t program_bytes = bytes - (size_t)(program - content);
  bool alone = includes_nothing(options, texts, num_texts);
  if (!alone) {
    program = content;
    program_bytes = bytes;
  }
  bool is_kept = strncmp(work, "build", 5) == 0;
  char *answer = is_kept && takes_kept ? kept_answer(head, program, program_bytes, is_ptx) : NULL;
  *kept = answer != NULL;
  if (answer == NULL) {
    int64_t asked = time_of_files();
    answer = ask_service(head, content, bytes);
    if (answer != NULL && is_kept)
      keep_answer(head, program, program_bytes, answer, asked, alone, is_ptx);
    if (answer != NULL) {
      const char *code = after_files(answer);
      memmove(answer, code, strlen(code) + 1);
    }
  }
  free(content);
  if (answer == NULL)
    *result = no_service();
  return answer;
}

// Whether an answer's first line says that a program, or its options, are refused.
static bool is_refused(const char *line, int32_t *result) {
  bool by_options = line != NULL && strcmp(line, "options") == 0;
  if (!by_options && (line == NULL || strcmp(line, "failed") != 0))
    return false;
  *result = by_options ? explain(LW_BAD_OPTIONS, "the compiler refuses the options")
                       : explain(LW_INVALID, "the program can't be compiled");
  return true;
}

// Takes a copy of the program with its files from an answer, and the rest. False if memory is short.
static bool take_program(char *answer, lw_text *whole) {
  uint64_t bytes;
  const char *code, *program = held_program(answer, &bytes, &code);
  if (program == NULL)
    return true;
  if (whole != NULL) {
    char *copy = malloc(bytes + 1);
    if (copy == NULL)
      return false;
    memcpy(copy, program, bytes);
    copy[bytes] = '\0';
    *whole = (lw_text){copy, bytes};
  }
  memmove(answer, code, strlen(code) + 1);
  return true;
}

// As lw_opencl_open; `kept` as ask_for_opencl has it.
static int32_t open_answer(lw_text program, int32_t linked, const char *options, uint32_t form, const char *known,
                           const lw_image **image, struct lw_library **library, char **description, lw_text *whole,
                           bool *kept) {
  int32_t result;
  lw_text texts[] = {program, {known, known != NULL ? strlen(known) : 0}};
  *description = NULL;
  char *answer = ask_for_opencl(linked ? "build-linked" : "build", form, options, texts, known != NULL ? 2 : 1, kept,
                                &result);
  if (answer == NULL)
    return result;
  if (!take_program(answer, whole)) {
    free(answer);
    return explain(LW_NO_MEMORY, "no memory for a program's source");
  }
  const char *after = NULL;
  bool is_ptx = strncmp(answer, "ptx ", 4) == 0;
  if (is_ptx)
    result = load_ptx_answer(answer, &after, image, library);
  char *rest = answer, *line = next_line(&rest);
  bool refused = is_refused(line, &result);
  if (!refused && !is_ptx)
    result = load_answer(line, image, library);
  if (refused || result == LW_SUCCESS)
    *description = strdup(after != NULL ? after : rest);
  if (result != LW_SUCCESS && whole != NULL) {
    free((char *)whole->data);
    *whole = (lw_text){NULL, 0};
  }
  free(answer);
  return result;
}

int32_t lw_opencl_open(lw_text program, int32_t linked, const char *options, uint32_t form, const char *known,
                       const lw_image **image, struct lw_library **library, char **description, lw_text *whole) {
  bool kept = true;
  int32_t result = form & LW_OPENCL_GPU && gpu.opened != LW_SUCCESS ? explain(LW_NOT_SUPPORTED, "no GPU has been opened")
                                                                    : LW_SUCCESS;
  *description = NULL;
  if (whole != NULL)
    *whole = (lw_text){NULL, 0};
  if (result != LW_SUCCESS)
    return result;
  result = open_answer(program, linked, options, form, known, image, library, description, whole, &kept);
  // Its library is damaged, or has just been evicted: the service makes it again.
  if (result != LW_SUCCESS && result < LW_DRIVER_ERROR && kept) {
    kept = false;
    result = open_answer(program, linked, options, form, known, image, library, description, whole, &kept);
  }
  return result;
}

// The contents of a file, with a NUL after them.
static int32_t read_file(const char *path, lw_text *made) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  char *data = file >= 0 && fstat(file, &status) == 0 ? malloc((size_t)status.st_size + 1) : NULL;
  ssize_t got = 1;
  size_t at = 0;
  while (data != NULL && at < (size_t)status.st_size && (got = read(file, data + at, (size_t)status.st_size - at)) > 0)
    at += (size_t)got;
  if (file >= 0)
    close(file);
  if (data == NULL || got <= 0) {
    free(data);
    return explain(LW_INVALID, "%s can't be read", path);
  }
  data[at] = '\0';
  *made = (lw_text){data, at};
  return LW_SUCCESS;
}

int32_t lw_opencl_make(int32_t work, const char *options, const lw_text *texts, uint64_t num_texts, lw_text *made,
                       char **log) {
  static const char *const names[] = {"compile", "link", "link-library"};
  int32_t result;
  bool kept = false;
  *log = NULL;
  char *answer = ask_for_opencl(names[work], 0, options, texts, num_texts, &kept, &result);
  if (answer == NULL)
    return result;
  char *rest = answer, *line = next_line(&rest);
  bool refused = is_refused(line, &result), is_made = line != NULL && strncmp(line, "ir ", 3) == 0;
  if (is_made)
    result = read_file(line + 3, made);
  else if (!refused)
    result = explain(LW_INVALID, "%s", line != NULL && strncmp(line, "declined ", 9) == 0
                                           ? line + 9
                                           : "the compile service's answer can't be read");
  if (refused || result == LW_SUCCESS)
    *log = strdup(rest);
  free(answer);
  return result;
}

void lw_library_close(const lw_image *image, struct lw_library *library) {
  lw_image_remove(image);
  unload(library);
}
