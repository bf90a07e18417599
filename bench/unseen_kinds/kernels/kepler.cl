// SPDX-License-Identifier: Apache-2.0

// Places of planets: Kepler's equation by Newton's method, until a step is small.
__kernel void kepler(__global float *angles, __global const float *means, __global const float *eccentricities,
                     int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  float mean = means[i], e = eccentricities[i], angle = mean + e * sin(mean), change;
  int rounds = 0;
  do {
    change = (angle - e * sin(angle) - mean) / (1 - e * cos(angle));
    angle -= change;
  } while (fabs(change) > 1e-5f && ++rounds < 20);
  angles[i] = angle;
}
