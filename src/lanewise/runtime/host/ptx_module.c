// SPDX-License-Identifier: Apache-2.0
// Modules of PTX that a program loads while it runs: the compile service makes a shared object of their machine code.
#include "host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSED_BY_EXEC = 1 }; // MFD_CLOEXEC, which glibc before 2.27 doesn't know

// A loaded copy of a file. It stays open as long as the module is loaded: dlopen takes files of one name for the same.
struct lw_ptx_library {
  void *handle;
  int file;
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

static void unload(struct lw_ptx_library *library) {
  if (library->handle != NULL)
    dlclose(library->handle);
  if (library->file >= 0)
    close(library->file);
  free(library);
}

// Loads a file, so that each module has variables of its own. Null, with an explanation, if it can't be.
static struct lw_ptx_library *load_copy(const char *path) {
  struct lw_ptx_library *library = malloc(sizeof *library);
  if (library == NULL)
    return NULL;
  char name[32];
  library->file = copy_of(path);
  snprintf(name, sizeof name, "/proc/self/fd/%d", library->file);
  library->handle = library->file >= 0 ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library->handle != NULL)
    return library;
  explain(LW_INVALID, "%s can't be loaded: %s", path, library->file >= 0 ? dlerror() : "it can't be read");
  unload(library);
  return NULL;
}

int32_t lw_ptx_open(const char *ptx, const lw_image **image, struct lw_ptx_library **library) {
  if (gpu.on)
    return explain(LW_NOT_SUPPORTED, "modules are not supported with LANEWISE_DEVICE=cuda");
  if (!has_loader())
    return explain(LW_NOT_SUPPORTED, "the program is linked without libdl");
  char *answer = ask_service("build " LW_BUILD "\nptx library\nblock 0 0 0\n\n", ptx, strlen(ptx)), *rest = answer;
  if (answer == NULL)
    return explain(LW_NO_KERNEL, "the compile service doesn't answer: %s -m lanewise.cuda.service",
                   *LW_PYTHON ? LW_PYTHON : "python");
  char *line = next_line(&rest);
  int32_t result = LW_SUCCESS;
  *library = NULL;
  if (line == NULL || strncmp(line, "library ", 8) != 0) {
    bool declined = line != NULL && strncmp(line, "declined ", 9) == 0;
    result = explain(LW_INVALID, "%s", declined ? line + 9 : "the compile service's answer can't be read");
  } else {
    *library = load_copy(line + 8);
    const lw_image *const *found = *library != NULL ? dlsym((*library)->handle, "lw_loaded_image") : NULL;
    result = found != NULL ? lw_image_add(*found) : LW_INVALID;
    *image = found != NULL ? *found : NULL;
    if (result != LW_SUCCESS && *library != NULL)
      unload(*library);
  }
  free(answer);
  return result;
}

void lw_ptx_close(const lw_image *image, struct lw_ptx_library *library) {
  lw_image_remove(image);
  unload(library);
}
