// SPDX-License-Identifier: Apache-2.0
// Variables of the module: constant, in device memory, initialised and not.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__constant__ int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ float matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
__constant__ struct {
    short weight;
    double scale;
} settings = {7, 0.5};

__device__ unsigned lookup[4] = {0x10, 0x20, 0x40, 0x80};
__device__ const char text[] = "barrier";
__device__ int zeros[3];
static __device__ long long hidden = -5;
constexpr int LIMIT = 40;
static const int OFFSET = 2;

namespace geometry {
__constant__ double pi = 3.25;
__device__ double area(double radius) { return radius * radius * pi; }
} // namespace geometry

__global__ void constants(double *out) {
    int i = index();
    out[i] = primes[i % 8] + 100 * matrix[i % 2][i % 3] + settings.weight * settings.scale + geometry::area(i);
}

__global__ void device_variables(int *out) {
    int i = index();
    out[i] = lookup[i % 4] + text[i % 8] + zeros[i % 3] + (int)hidden + LIMIT + OFFSET;
}

// The address of a constant, and of a variable, as ordinary pointers.
__device__ int sum(const int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

__global__ void address_of_constant(int *out, const int *in) {
    out[index()] = sum(primes, index() % 8) + sum(in, 3) + sum(index() % 2 ? primes : in, 2);
}

// Static members and function-local constants.
struct Grid {
    static constexpr int rows = 4, columns = 6;
    static __device__ int cells() { return rows * columns; }
};

__global__ void static_members(int *out) {
    static const int shifts[] = {1, 4, 9, 16};
    constexpr double half = 0.5;
    out[index()] = Grid::cells() + Grid::columns + shifts[index() % 4] + (int)(index() * half);
}
