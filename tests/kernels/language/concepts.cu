// SPDX-License-Identifier: Apache-2.0
// C++20: concepts, templates without the word, immediate functions, designated initialisers, three-way comparison
// by hand, lambdas with template parameters.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <typename T>
concept Number = requires(T a, T b) {
    a + b;
    a * b;
};
template <typename T>
concept Container = requires(T t) {
    t.size();
    t[0];
};

template <int N> struct Few {
    int values[N];
    __device__ constexpr int size() const { return N; }
    __device__ constexpr int operator[](int i) const { return values[i]; }
};

__device__ auto measure(Number auto value) { return value * 2; }
__device__ int measure(Container auto const &container) {
    int sum = 0;
    for (int i = 0; i < container.size(); i++)
        sum += container[i];
    return sum;
}

__global__ void concepts(int *out) {
    Few<3> few = {{index(), 2, 3}};
    out[index()] = measure(index()) + 1000 * measure(few);
}

consteval int squared(int n) { return n * n; }

struct Options {
    int first = 1;
    int second = 2;
    float third = 0.5f;
};

__global__ void cpp20_syntax(float *out) {
    Options options{.second = squared(7)};
    auto add = []<typename T>(T a, T b) { return a + b; };
    float sum = options.first + options.second + options.third + add(index(), 1);
    if (index() % 2) [[unlikely]]
        sum = -sum;
    out[index()] = sum;
}
