// SPDX-License-Identifier: Apache-2.0
// Images of programs whose kernels are PTX alone, for a GPU, as the compile service describes them.
//
// The answer's first line is "ptx CAPABILITY KERNELS PARAMETERS BYTES". A line for each kernel follows, its fields
// between tabs: the symbol, the bytes of its shared memory, the number of its parameters, then the offset and the size of each.
// After these lines come the bytes of the PTX, and a line break.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ptx_image {
  lw_image image;
  lw_gpu_code code;
  lw_kernel_image *kernels;
  lw_parameter *parameters;
  char *text; // of symbols and PTX
};

static void free_ptx_image(struct ptx_image *made) {
  if (made == NULL)
    return;
  free(made->kernels);
  free(made->parameters);
  free(made->text);
  free(made);
}

static uint32_t next_count(char **rest) { return (uint32_t)strtoul(*rest, rest, 10); }

// Reads the line of a kernel, whose parameters go to `parameters`, of which `room` are left. False for another line.
static bool read_ptx_kernel(char *line, lw_kernel_image *kernel, lw_parameter *parameters, uint32_t room) {
  char *rest = line + strcspn(line, "\t");
  if (*rest == '\0')
    return false;
  *rest++ = '\0';
  kernel->symbol = kernel->name = line;
  kernel->parameters = parameters;
  kernel->shared_bytes = next_count(&rest);
  kernel->num_parameters = next_count(&rest);
  if (kernel->num_parameters > room)
    return false;
  for (uint32_t i = 0; i < kernel->num_parameters; ++i) {
    parameters[i] = (lw_parameter){.name = "", .offset = next_count(&rest), .bytes = next_count(&rest)};
    kernel->args_bytes = parameters[i].offset + parameters[i].bytes;
  }
  return *rest == '\0';
}

// The image in an answer, which it reads as far as the end of the PTX: `rest` gets what follows. Null, with an explanation
// in `result`, if there is none.
static struct ptx_image *read_ptx_image(const char *answer, const char **rest, int32_t *result) {
  unsigned capability, kernels, parameters, bytes;
  const char *lines = strchr(answer, '\n');
  *result = explain(LW_INVALID, "the compile service's answer can't be read");
  if (lines == NULL || sscanf(answer, "ptx %u %u %u %u\n", &capability, &kernels, &parameters, &bytes) != 4)
    return NULL;
  struct ptx_image *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->kernels = calloc((size_t)kernels + 1, sizeof *made->kernels);
    made->parameters = calloc((size_t)parameters + 1, sizeof *made->parameters);
    made->text = strdup(lines + 1);
  }
  if (made == NULL || made->kernels == NULL || made->parameters == NULL || made->text == NULL) {
    *result = explain(LW_NO_MEMORY, "no memory for a program");
    free_ptx_image(made);
    return NULL;
  }
  char *at = made->text;
  uint32_t used = 0;
  bool is_whole = true;
  for (unsigned i = 0; i < kernels && is_whole; ++i) {
    char *line = at == NULL ? NULL : next_line(&at);
    is_whole = line != NULL && read_ptx_kernel(line, &made->kernels[i], made->parameters + used, parameters - used);
    used += made->kernels[i].num_parameters;
  }
  if (!is_whole || at == NULL || strlen(at) <= bytes || at[bytes] != '\n') {
    free_ptx_image(made);
    return NULL;
  }
  *rest = lines + 1 + (at - made->text) + bytes + 1;
  at[bytes] = '\0';
  made->code = (lw_gpu_code){.capability = capability, .ptx = at};
  made->image = (lw_image){.version = LW_IMAGE_VERSION, .num_kernels = kernels, .source = "the program",
                           .kernels = made->kernels, .num_gpu_codes = 1, .gpu_codes = &made->code};
  *result = LW_SUCCESS;
  return made;
}
