// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_OPENCL_EXTENSION_NAMES_H
#define LANEWISE_OPENCL_EXTENSION_NAMES_H

#include "objects.h"

namespace lw_opencl {

// Names with spaces between them: of devices without images, and of those with.
extern const char *const EXTENSIONS[2];
extern const char *const FEATURES[2];

// The names as rows, each with its version.
cl_int extensions_with_versions(const char *names, const Answer &answer);
cl_int features_with_versions(const char *names, const Answer &answer);

} // namespace lw_opencl

#endif
