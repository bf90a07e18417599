// SPDX-License-Identifier: Apache-2.0
// Code with checks: asked for kernel by kernel and block size by block size, when a launch first needs it.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct checked_kernel *checked_kernel_of(const lw_kernel_image *kernel) {
  for (struct checked_kernel *each = checks.kernels; each != NULL; each = each->following)
    if (each->kernel == kernel)
      return each;
  const lw_image *image = image_of_kernel(kernel);
  struct checked_kernel *made = image != NULL ? calloc(1, sizeof *made) : NULL;
  if (made == NULL)
    return NULL;
  made->image = image;
  made->kernel = kernel;
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
    kernel->told = calloc(places + 1, 1);
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

// Fills in the table of the addresses that a copy of the code uses.
static const char *fill_checked_addresses(const lw_image *image, struct answer *answer, void *library) {
  void **table = answer->num_variables > 0 ? dlsym(library, "lw_variables") : NULL;
  if (answer->num_variables > 0 && table == NULL)
    return "its code has no table of addresses";
  for (unsigned i = 0; i < answer->num_variables; ++i) {
    char *line = next_line(&answer->rest);
    if (line == NULL || strncmp(line, "variable ", 9) != 0)
      return "the service's answer can't be read";
    table[i] = address_in(image, line + 9);
    if (table[i] == NULL)
      return "it calls functions by their address";
  }
  return NULL;
}

// Takes the code of an answer. The library stays loaded: launches may run by it until the program ends.
static const char *take_checked_code(struct checked_code *code, char *text) {
  struct answer answer;
  const char *objection = read_answer(text, &answer);
  if (objection != NULL)
    return objection;
  struct lw_library *library = load_copy(answer.path);
  lw_group_fn function = library != NULL ? (lw_group_fn)dlsym(library->handle, "lw_group") : NULL;
  if (function == NULL)
    return "its code can't be loaded";
  uint32_t *apart = calloc(answer.num_apart + 1, sizeof *apart);
  objection = apart == NULL ? "no memory" : read_apart(&answer, apart);
  free(apart); // the code assumes nothing
  if (objection == NULL)
    objection = fill_checked_addresses(code->of->image, &answer, library->handle);
  if (objection == NULL)
    objection = read_checked_kernel(code->of, answer.rest);
  code->code = (lw_code){.function = function,
                         .arena_bytes = answer.arena_bytes,
                         .block = {code->block[0], code->block[1], code->block[2]},
                         .shared_bytes = (uint32_t)answer.shared_bytes,
                         .flags = answer.flags & ~(uint32_t)LW_CODE_SMALL_GRID};
  return objection;
}

// No kernel can be checked; said once.
static void fail_checks(const char *reason) {
  fprintf(stderr, "lanewise: %s\n", reason);
  checks.failed = true;
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
  if (is_ready) {
    code->following = kernel->codes;
    kernel->codes = code;
  } else {
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
    ++checks.not_checked;
    fprintf(stderr, "lanewise check: kernel %s is not checked: %s\n", launch->kernel->name, objection);
    report_not_checked(launch->kernel->name, objection);
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
  return code;
}

// More dynamic shared memory that the code needs for what it knows of each byte.
static uint32_t doubled_bytes(const struct checked_code *code, uint32_t dynamic) {
  return code->of->doubles ? (dynamic + DOUBLED_ALIGNMENT - 1) / DOUBLED_ALIGNMENT * DOUBLED_ALIGNMENT : 0;
}
