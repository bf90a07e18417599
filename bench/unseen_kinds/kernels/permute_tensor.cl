// SPDX-License-Identifier: Apache-2.0

// The axes of a tensor in another order: a place in the result, taken apart by the tensor's sizes.
__kernel void permute_tensor(__global float *out, __global const float *in, uint rows, uint columns, uint layers) {
  uint i = get_global_id(0);
  uint row = i % rows, rest = i / rows;
  uint column = rest % columns, layer = rest / columns;
  if (layer < layers)
    out[i] = in[(row * columns + column) * layers + layer];
}
