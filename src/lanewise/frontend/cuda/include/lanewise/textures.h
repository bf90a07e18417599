// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces (CUDA C++ Programming Guide, "Texture and Surface Memory", "Texture Functions", "Surface
// Functions").
#ifndef LANEWISE_TEXTURES_H
#define LANEWISE_TEXTURES_H

#include "lanewise/texture_types.h"
#include "lanewise/texels.h"
#include "lanewise/texture_fetch.h"
#include "lanewise/surface_access.h"
#include "lanewise/host_textures.h"

#endif
