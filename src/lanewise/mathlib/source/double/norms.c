// SPDX-License-Identifier: Apache-2.0
// Euclidean lengths and their inverses. Coordinates are scaled by the power of two that brings the largest one near 1;
// squares are summed with a second part, and the root is corrected by one step of Newton's method.
#include "double/square.h"

// The larger of two magnitudes; one of them if the other is NaN.
PRIVATE double larger(double a, double b) {
  double x = __builtin_fabs(a), y = __builtin_fabs(b);
  return x > y ? x : y == y ? y : x;
}

// Powers of two whose product is 1: `down` brings the largest coordinate to below 4, and a normal one to at least 1.
typedef struct {
  double down, up;
} scaling;

PRIVATE scaling scaling_of(double largest) {
  const u64 least = 1ull << 52, most = 2045ull << 52;
  u64 exponent = bits(largest) & (0x7ffull << 52);
  exponent = exponent < least ? least : exponent > most ? most : exponent;
  return (scaling){from_bits((2046ull << 52) - exponent), from_bits(exponent)};
}

typedef struct {
  double largest;
  scaling scale;
  pair sum;
} scaled_squares;

// For at least one coordinate.
PRIVATE scaled_squares sum_of_squares(int count, const double *coordinates) {
  double largest = __builtin_fabs(coordinates[0]);
  for (int i = 1; i < count; i++)
    largest = larger(largest, coordinates[i]);
  scaling scale = scaling_of(largest);
  pair sum = square(coordinates[0] * scale.down);
  for (int i = 1; i < count; i++) {
    pair next = square(coordinates[i] * scale.down), high = two_sum(sum.high, next.high);
    sum = (pair){high.high, high.low + (sum.low + next.low)};
  }
  return (scaled_squares){largest, scale, sum};
}

// An infinite coordinate counts for more than one that is NaN.
PRIVATE double length(int count, const double *coordinates) {
  scaled_squares squares = sum_of_squares(count, coordinates);
  double root = __builtin_sqrt(squares.sum.high);
  pair squared = square(root);
  double residual = ((squares.sum.high - squared.high) - squared.low) + squares.sum.low;
  double corrected = mad(residual, 0.5 / root, root);
  double result = (root == 0 ? 0 : corrected) * squares.scale.up;
  return squares.largest == INFINITY ? INFINITY : result;
}

// y + y e / 2, where e = 1 - sum y^2.
PRIVATE double inverse_length(int count, const double *coordinates) {
  scaled_squares squares = sum_of_squares(count, coordinates);
  double y = 1 / __builtin_sqrt(squares.sum.high);
  pair product = two_product(squares.sum.high, y), one = two_product(product.high, y);
  double residual = ((1 - one.high) - one.low) - mad(squares.sum.low, y, product.low) * y;
  double corrected = mad(0.5 * y, residual, y);
  double result = (squares.sum.high == 0 ? INFINITY : corrected) * squares.scale.down;
  return squares.largest == INFINITY ? 0 : result;
}

PUBLIC double hypot(double x, double y) { return length(2, (const double[]){x, y}); }
PUBLIC double norm3d(double a, double b, double c) { return length(3, (const double[]){a, b, c}); }
PUBLIC double norm4d(double a, double b, double c, double d) { return length(4, (const double[]){a, b, c, d}); }
PUBLIC double norm(int count, const double *coordinates) { return count > 0 ? length(count, coordinates) : 0; }

PUBLIC double rhypot(double x, double y) { return inverse_length(2, (const double[]){x, y}); }
PUBLIC double rnorm3d(double a, double b, double c) { return inverse_length(3, (const double[]){a, b, c}); }
PUBLIC double rnorm4d(double a, double b, double c, double d) {
  return inverse_length(4, (const double[]){a, b, c, d});
}
PUBLIC double rnorm(int count, const double *coordinates) {
  return count > 0 ? inverse_length(count, coordinates) : INFINITY;
}
