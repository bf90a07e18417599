// SPDX-License-Identifier: Apache-2.0
// Questions about an image (6.12.14.5).
#include "images.h"

OVERLOAD int get_image_width(ACCESS IMAGE image) { return __lw_description(image)->extent[0]; }
OVERLOAD int get_image_channel_data_type(ACCESS IMAGE image) { return __lw_description(image)->type; }
OVERLOAD int get_image_channel_order(ACCESS IMAGE image) { return __lw_description(image)->order; }
#if AXES > 1
OVERLOAD int get_image_height(ACCESS IMAGE image) { return __lw_description(image)->extent[1]; }
#endif
#if AXES == 2
OVERLOAD int2 get_image_dim(ACCESS IMAGE image) {
  Description it = __lw_description(image);
  return (int2)(it->extent[0], it->extent[1]);
}
#endif
#if AXES == 3
OVERLOAD int get_image_depth(ACCESS IMAGE image) { return __lw_description(image)->extent[2]; }
OVERLOAD int4 get_image_dim(ACCESS IMAGE image) {
  Description it = __lw_description(image);
  return (int4)(it->extent[0], it->extent[1], it->extent[2], 0);
}
#endif
#if LAYERED
OVERLOAD size_t get_image_array_size(ACCESS IMAGE image) { return __lw_description(image)->extent[2]; }
#endif
