// SPDX-License-Identifier: Apache-2.0
// ptx_run: runs a kernel of PTX on the CPU, for programs that stand in for a GPU. gpuocelot has a function of this name
// and order of arguments, and tinygrad's mock GPU calls it. The host runtime is part of this translation unit.
//
// The compile service makes a shared object of the PTX for each block size (cuda/service/ptx_library.py). It stays
// loaded: so do the variables of the PTX, from one launch to the next.
#include "../../runtime/host/host.c"

enum { NUM_CHAINS = 1024 }; // a power of two

// PTX that was compiled for a block size.
struct ptx_program {
  char *ptx;
  uint32_t block[3];
  const lw_image *image;
  struct ptx_program *following;
};

static struct {
  pthread_mutex_t lock; // one launch at a time
  pthread_once_t once;
  struct ptx_program *chains[NUM_CHAINS];
} ptx_programs = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

// ---- What failed -------------------------------------------------------------------------------------------------

static const char *failure_text(const lw_status *status) {
  switch (status->kind) {
  case LW_TRAP:
    return "trap";
  case LW_ASSERT:
    return "a failed assertion: ";
  case LW_OUT_OF_MEMORY:
    return "no memory for its threads";
  case LW_FAULT:
    return status->access == LW_READ    ? "a read of memory that is not there"
           : status->access == LW_WRITE ? "a write of memory that is not there"
                                        : "an access that the processor refused";
  case LW_STACK_OVERFLOW:
    return "the stack of a thread is full";
  case LW_BAD_FREE:
    return "free() of what malloc() has not given, or of what was freed before";
  case LW_STUCK:
    return "all threads wait in loops for what nobody changes";
  default:
    return "it failed";
  }
}

static void tell_failure(lw_queue *queue, const lw_kernel_launch *launch, const lw_status *status) {
  (void)queue;
  const uint32_t *b = status->block, *t = status->thread;
  fprintf(stderr, "ptx_run: kernel %s, block (%u, %u, %u)", launch->kernel->name, b[0], b[1], b[2]);
  if (status->known & LW_KNOWS_THREAD)
    fprintf(stderr, ", thread (%u, %u, %u)", t[0], t[1], t[2]);
  if ((status->known & LW_KNOWS_PLACE) && status->file[0] != '\0')
    fprintf(stderr, ", %s:%u", status->file, status->line);
  fprintf(stderr, ": %s%s", failure_text(status), status->message);
  if (status->kind == LW_FAULT && status->access <= LW_WRITE)
    fprintf(stderr, ", at address 0x%llx", (unsigned long long)status->address);
  fputc('\n', stderr);
}

// Says why there was no launch; returns what ptx_run does then.
__attribute__((format(printf, 1, 2))) static int objection(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("ptx_run: ", stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  return 1;
}

// ---- Programs ----------------------------------------------------------------------------------------------------

static struct ptx_program **chain_of(const char *ptx, const uint32_t block[3]) {
  uint64_t hash = block[0] + 1031 * block[1] + 32771 * block[2];
  for (const char *each = ptx; *each != '\0'; ++each)
    hash = (hash ^ (unsigned char)*each) * 0x100000001b3u;
  return &ptx_programs.chains[(hash >> 20) % NUM_CHAINS];
}

// Loads what the service has made: a line "library PATH". Else the line says why there is nothing.
static const lw_image *load_library(char *answer) {
  char *line = next_line(&answer);
  if (line != NULL && strncmp(line, "declined ", 9) == 0) {
    objection("%s", line + 9);
    return NULL;
  }
  if (line == NULL || strncmp(line, "library ", 8) != 0) {
    objection("the compile service's answer can't be read");
    return NULL;
  }
  void *library = has_loader() ? dlopen(line + 8, RTLD_NOW | RTLD_LOCAL) : NULL;
  const lw_image *const *image = library != NULL ? dlsym(library, "lw_loaded_image") : NULL;
  if (image == NULL) {
    objection("%s can't be loaded", line + 8);
    return NULL;
  }
  if (lw_image_add(*image) != LW_SUCCESS) {
    objection("%s", lw_explanation());
    return NULL;
  }
  return *image;
}

static const lw_image *compile_ptx(const char *ptx, const uint32_t block[3]) {
  enum { MOST_NUMBERS = 100 };
  char head[sizeof LW_BUILD + MOST_NUMBERS];
  snprintf(head, sizeof head, "build %s\nptx library\nblock %u %u %u\n\n", LW_BUILD, block[0], block[1], block[2]);
  char *answer = ask_service(head, ptx, strlen(ptx));
  if (answer == NULL) {
    objection("the compile service doesn't answer: %s -m lanewise.cuda.service", *LW_PYTHON ? LW_PYTHON : "python");
    return NULL;
  }
  const lw_image *image = load_library(answer);
  free(answer);
  return image;
}

// The image of PTX for a block size, compiled at its first use; null if there is none.
static const lw_image *image_of(const char *ptx, const uint32_t block[3]) {
  struct ptx_program **chain = chain_of(ptx, block);
  for (struct ptx_program *each = *chain; each != NULL; each = each->following)
    if (memcmp(each->block, block, sizeof each->block) == 0 && strcmp(each->ptx, ptx) == 0)
      return each->image;
  struct ptx_program *made = malloc(sizeof *made);
  char *text = strdup(ptx);
  const lw_image *image = made != NULL && text != NULL ? compile_ptx(ptx, block) : NULL;
  if (image == NULL) {
    free(made);
    free(text);
    return NULL;
  }
  *made = (struct ptx_program){.ptx = text, .image = image, .following = *chain};
  memcpy(made->block, block, sizeof made->block);
  *chain = made;
  return image;
}

// ---- Launches ----------------------------------------------------------------------------------------------------

// Packs arguments, each of which is the value itself in the lowest bytes.
static int pack_args(const lw_kernel_image *kernel, int n_args, void *const *args, char *packed) {
  if (n_args < 0 || (uint32_t)n_args != kernel->num_parameters)
    return objection("kernel %s takes %u arguments, not %d", kernel->name, kernel->num_parameters, n_args);
  for (uint32_t i = 0; i < kernel->num_parameters; ++i) {
    const lw_parameter *parameter = &kernel->parameters[i];
    if (parameter->bytes > sizeof args[i])
      return objection("kernel %s: argument %u has %u bytes, more than a pointer", kernel->name, i, parameter->bytes);
    memcpy(packed + parameter->offset, &args[i], parameter->bytes);
  }
  return 0;
}

static int run_ptx(const lw_kernel_launch *launch) {
  lw_queue *queue = lw_default_queue();
  int32_t result = lw_queue_launch(queue, launch);
  if (result != LW_SUCCESS)
    return objection("%s", lw_explanation());
  result = lw_queue_synchronize(queue);
  lw_queue_clear_failure(queue);
  lw_flush_output(STDOUT_FILENO);
  return result != LW_SUCCESS;
}

static void unlock_in_child(void) { pthread_mutex_init(&ptx_programs.lock, NULL); }

static void prepare_for_ptx(void) {
  __register_atfork(NULL, NULL, unlock_in_child, NULL);
  lw_allow_host_pointers(1);
  lw_set_failure_hook(tell_failure);
}

static int launch_locked(const char *ptx, int n_args, void *const *args, const uint32_t block[3],
                         const uint32_t grid[3], int smem) {
  const lw_image *image = image_of(ptx, block);
  if (image == NULL)
    return 1;
  const lw_kernel_image *kernel = &image->kernels[0]; // the only one
  char *packed = calloc(1, kernel->args_bytes + 1);
  if (packed == NULL)
    return objection("no memory");
  int failed = pack_args(kernel, n_args, args, packed);
  if (!failed) {
    lw_kernel_launch launch = {.kernel = kernel, .args = packed, .dynamic_shared = (uint32_t)smem};
    memcpy(launch.grid, grid, sizeof launch.grid);
    memcpy(launch.block, block, sizeof launch.block);
    failed = run_ptx(&launch);
  }
  free(packed);
  return failed;
}

// Runs the kernel of `ptx`, which ends with a NUL, and waits for its end. The first three extents are those of a block,
// in threads, the next three those of the grid, in blocks. Pointers are the host's. Returns 0; or 1 for a failure, which
// a line on standard error explains.
LW_EXPORT int ptx_run(const char *ptx, int n_args, void **args, int blck_x, int blck_y, int blck_z, int thr_x,
                      int thr_y, int thr_z, int smem) {
  const int given[] = {blck_x, blck_y, blck_z, thr_x, thr_y, thr_z};
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i)
    if (given[i] <= 0)
      return objection("blocks of (%d, %d, %d) in a grid of (%d, %d, %d): extents are above 0", blck_x, blck_y, blck_z,
                    thr_x, thr_y, thr_z);
  if (ptx == NULL || (args == NULL && n_args != 0) || smem < 0)
    return objection("PTX and arguments are pointers, and the size of shared memory is not negative");
  const uint32_t block[] = {(uint32_t)blck_x, (uint32_t)blck_y, (uint32_t)blck_z};
  const uint32_t grid[] = {(uint32_t)thr_x, (uint32_t)thr_y, (uint32_t)thr_z};
  pthread_once(&ptx_programs.once, prepare_for_ptx);
  pthread_mutex_lock(&ptx_programs.lock);
  int failed = launch_locked(ptx, n_args, args, block, grid, smem);
  pthread_mutex_unlock(&ptx_programs.lock);
  return failed;
}
