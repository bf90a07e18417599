// SPDX-License-Identifier: Apache-2.0
// Code with checks: asked for kernel by kernel and block size by block size, when a launch first needs it.
#include "host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Fills in the table of the addresses that code uses.
static const char *fill_checked_addresses(struct checked_code *code) {
  const char *line = code->names;
  for (uint32_t i = 0; i < code->num_names; ++i) {
    code->table[i] = address_in(code->of->image, line + strlen("variable "));
    if (code->table[i] == NULL)
      return "it calls functions by their address";
    line += strlen(line) + 1;
  }
  return NULL;
}

// Makes a kernel of an image that was removed that of the same image, loaded again: its places are told once, and its
// code runs with the new addresses.
static struct checked_kernel *renew(struct checked_kernel *known, const lw_image *image,
                                    const lw_kernel_image *kernel) {
  known->image = image;
  known->kernel = kernel;
  for (struct checked_code *code = known->codes; code != NULL; code = code->following)
    if (fill_checked_addresses(code) != NULL)
      known->is_refused = true;
  return known;
}

// Whether a kernel that is known has the code of one without a name yet.
static bool has_same_code(const struct checked_kernel *known, const struct checked_kernel *made) {
  return known->ir_bytes == made->ir_bytes && memcmp(known->ir_hash, made->ir_hash, sizeof made->ir_hash) == 0 &&
         known->symbol != NULL && strcmp(known->symbol, made->kernel->symbol) == 0;
}

static struct checked_kernel *checked_kernel_of(const lw_kernel_image *kernel) {
  for (struct checked_kernel *each = checks.kernels; each != NULL; each = each->following)
    if (each->kernel == kernel)
      return each;
  const lw_image *image = image_of_kernel(kernel);
  if (image == NULL)
    return NULL;
  struct checked_kernel *made = calloc(1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->image = image;
  made->kernel = kernel;
  made->ir_hash[0] = 0xcbf29ce484222325;
  made->ir_hash[1] = 0x84222325cbf29ce4;
  made->ir_bytes = image->ir_bytes;
  if (image->ir != NULL)
    hash_bytes(made->ir_hash, image->ir, image->ir_bytes);
  for (struct checked_kernel *each = checks.kernels; each != NULL; each = each->following)
    if (has_same_code(each, made)) {
      if (each->image == NULL) {
        free(made);
        return renew(each, image, kernel);
      }
      made->like = each;
    }
  made->symbol = strdup(kernel->symbol);
  made->following = checks.kernels;
  checks.kernels = made;
  return made;
}

// What the answer says of the kernel. Tells why it can't be used; null: it can.
static const char *read_checked_kernel(struct checked_kernel *kernel, char *text) {
  static const char unreadable[] = "the service's answer can't be read";
  char *line = next_line(&text);
  unsigned places, doubles, pointers;
  if (line == NULL || sscanf(line, "checked %u %u %u", &places, &doubles, &pointers) != 3 ||
      pointers > MOST_CHECKED_POINTERS)
    return unreadable;
  if (kernel->pointers == NULL) {
    kernel->pointers = calloc(pointers + 1, sizeof *kernel->pointers);
    kernel->are_local = calloc(pointers + 1, sizeof *kernel->are_local);
    bool shares = kernel->like != NULL && kernel->like->told != NULL && kernel->like->num_places == places;
    kernel->told = shares ? kernel->like->told : calloc(places + 1, 1);
    kernel->num_places = places;
    kernel->num_pointers = pointers;
    kernel->doubles = doubles != 0;
  }
  if (kernel->pointers == NULL || kernel->are_local == NULL || kernel->told == NULL)
    return "no memory";
  if (kernel->num_places != places || kernel->num_pointers != pointers)
    return unreadable;
  for (unsigned i = 0; i < pointers; ++i) {
    char kind[16];
    line = next_line(&text);
    if (line == NULL || sscanf(line, "%15s %u", kind, &kernel->pointers[i]) != 2 ||
        kernel->pointers[i] >= kernel->kernel->num_parameters)
      return unreadable;
    kernel->are_local[i] = strcmp(kind, "local") == 0;
  }
  line = next_line(&text);
  return line != NULL && strcmp(line, "end") == 0 ? NULL : unreadable;
}

// Keeps the names of the addresses that code uses. Tells why they can't be; null: they are.
static const char *take_names(struct checked_code *code, struct answer *answer, void *library) {
  const char *first = answer->rest;
  code->table = answer->num_variables > 0 ? dlsym(library, "lw_variables") : NULL;
  if (answer->num_variables > 0 && code->table == NULL)
    return "its code has no table of addresses";
  for (unsigned i = 0; i < answer->num_variables; ++i) {
    const char *line = next_line(&answer->rest);
    if (line == NULL || strncmp(line, "variable ", strlen("variable ")) != 0)
      return "the service's answer can't be read";
  }
  size_t bytes = (size_t)(answer->rest - first);
  code->names = malloc(bytes + 1);
  if (code->names == NULL)
    return "no memory";
  memcpy(code->names, first, bytes);
  code->num_names = answer->num_variables;
  return NULL;
}

// Loads code from its file, and keeps no descriptor. A file that another image's code is loaded from is copied, since
// its table has the other's addresses. Null if it can't be loaded.
static void *load_checked(const char *path) {
  void *other = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (other != NULL) {
    dlclose(other);
    struct lw_library *library = load_copy(path);
    return library != NULL ? library->handle : NULL;
  }
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool whole = file >= 0 && is_whole(file);
  if (file >= 0)
    close(file);
  return whole ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static const char not_loaded[] = "its code can't be loaded";

// Takes the code of an answer. The library stays loaded: launches may run by it until the program ends.
static const char *take_checked_code(struct checked_code *code, char *text) {
  struct answer answer;
  const char *objection = read_answer(text, &answer);
  if (objection != NULL)
    return objection;
  void *library = load_checked(answer.path);
  lw_group_fn function = library != NULL ? (lw_group_fn)dlsym(library, "lw_group") : NULL;
  if (function == NULL)
    return not_loaded;
  uint32_t *apart = calloc(answer.num_apart + 1, sizeof *apart);
  objection = apart == NULL ? "no memory" : read_apart(&answer, apart);
  free(apart); // the code assumes nothing
  if (objection == NULL)
    objection = take_names(code, &answer, library);
  if (objection == NULL)
    objection = fill_checked_addresses(code);
  if (objection == NULL)
    objection = read_checked_kernel(code->of, answer.rest);
  code->code = (lw_code){.function = function,
                         .arena_bytes = answer.arena_bytes,
                         .block = {code->block[0], code->block[1], code->block[2]},
                         .shared_bytes = (uint32_t)answer.shared_bytes,
                         .flags = answer.flags & ~(uint32_t)LW_CODE_SMALL_GRID};
  return objection;
}

static void refuse_checks_on_gpu(void) {
  if (!wants_checks())
    return;
  pthread_mutex_lock(&checks.lock);
  if (!checks.failed)
    fail_checks("LANEWISE_CHECK: kernels on a GPU are not checked; LANEWISE_DEVICE=cpu runs them where they are");
  pthread_mutex_unlock(&checks.lock);
}

static const char *terms_of(const lw_kernel_launch *launch) {
  return launch->flags & LW_OPENCL_LIMITS ? "opencl" : "cuda";
}

// Tells that a kernel is not checked, or not in blocks of the launch's size.
static void refuse_checks_of(struct checked_kernel *kernel, const lw_kernel_launch *launch, const char *objection) {
  const uint32_t *block = launch->block;
  char why[256];
  if (objection == not_loaded)
    snprintf(why, sizeof why, "its code for blocks of (%u, %u, %u) can't be loaded", block[0], block[1], block[2]);
  else
    snprintf(why, sizeof why, "%s", objection);
  checks.not_checked += !kernel->is_counted;
  kernel->is_counted = true;
  fprintf(stderr, "lanewise check: kernel %s is not checked: %s\n", launch->kernel->name, why);
  report_not_checked(launch->kernel->name, why);
}

static struct checked_code *add_checked_code(struct checked_kernel *kernel, const lw_kernel_launch *launch) {
  struct checked_code *code = calloc(1, sizeof *code);
  char *folder = folder_of_program();
  size_t room = strlen(kernel->symbol) + strlen(LW_BUILD) + strlen(checks.parts) + 256 +
                (folder != NULL ? strlen(folder) : 0);
  char *head = malloc(room);
  if (code == NULL || head == NULL || folder == NULL) {
    free(code);
    free(head);
    free(folder);
    return NULL;
  }
  code->of = kernel;
  memcpy(code->block, launch->block, sizeof code->block);
  snprintf(head, room, "build %s\nkernel %s\nblock %u %u %u\nassume nothing\nchecks %s\nterms %s\nfolder %s\n\n",
           LW_BUILD, kernel->symbol, code->block[0], code->block[1], code->block[2], checks.parts, terms_of(launch),
           folder);
  free(folder);
  char *answer = ask_service(head, kernel->image->ir, kernel->image->ir_bytes);
  free(head);
  const char *objection = answer != NULL ? take_checked_code(code, answer) : NULL;
  bool is_ready = answer != NULL && objection == NULL;
  if (is_ready || objection == not_loaded) { // which may be for want of descriptors, and other sizes are tried
    code->following = kernel->codes;
    kernel->codes = code;
  } else {
    free(code->names);
    free(code);
    kernel->is_refused = true;
  }
  if (answer == NULL) {
    fail_checks("LANEWISE_CHECK: kernels are not checked, since the compile service doesn't answer: "
                "Lanewise must be where it was when the program was built");
  } else if (!is_ready && strncmp(objection, "LANEWISE_CHECK", strlen("LANEWISE_CHECK")) == 0) {
    fail_checks(objection);
  } else if (!is_ready && strstr(objection, "the cache did not keep it") != NULL) {
    fail_checks("LANEWISE_CHECK: kernels are not checked, since their code can't be kept: LANEWISE_CACHE_DIR must name "
                "a folder that can be written to");
  } else if (!is_ready) {
    refuse_checks_of(kernel, launch, objection);
  }
  free(answer);
  return is_ready ? code : NULL;
}

// The code with checks for a launch; null where there is none.
static const struct checked_code *checked_code_of(const lw_kernel_launch *launch) {
  if (!wants_checks() || !has_loader())
    return NULL;
  pthread_mutex_lock(&checks.lock);
  struct checked_kernel *kernel = checks.failed ? NULL : checked_kernel_of(launch->kernel);
  struct checked_code *code = NULL;
  if (kernel != NULL && !kernel->is_refused && kernel->symbol != NULL && kernel->image->ir != NULL) {
    code = kernel->codes;
    while (code != NULL && memcmp(code->block, launch->block, sizeof code->block) != 0)
      code = code->following;
    if (code == NULL)
      code = add_checked_code(kernel, launch);
  }
  pthread_mutex_unlock(&checks.lock);
  return code != NULL && code->code.function != NULL ? code : NULL;
}

// More dynamic shared memory that the code needs for what it knows of each byte.
static uint32_t doubled_bytes(const struct checked_code *code, uint32_t dynamic) {
  return code->of->doubles ? (dynamic + DOUBLED_ALIGNMENT - 1) / DOUBLED_ALIGNMENT * DOUBLED_ALIGNMENT : 0;
}
