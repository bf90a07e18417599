// SPDX-License-Identifier: Apache-2.0
#define RATE 0.02f
#define VOLATILITY 0.3f

float normal_below(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float series = 1.781477937f + k * (-1.821255978f + k * 1.330274429f);
  series = k * (0.31938153f + k * (-0.356563782f + k * series));
  float tail = 0.39894228040143267794f * exp(-0.5f * d * d) * series;
  return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void blackscholes(__global float *call, __global float *put, __global const float *price,
                           __global const float *strike, __global const float *years) {
  int i = get_global_id(0);
  float s = price[i], x = strike[i], t = years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root);
  float d2 = d1 - VOLATILITY * root;
  float below1 = normal_below(d1), below2 = normal_below(d2);
  float discounted = x * exp(-RATE * t);
  call[i] = s * below1 - discounted * below2;
  put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
}
