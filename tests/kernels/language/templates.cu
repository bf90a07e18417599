// SPDX-License-Identifier: Apache-2.0
// C++17: templates, classes, lambdas, overloads, constant expressions.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Nobody here instantiates it: the caller names the instances.
template <typename T, int N> __global__ void scale(T *data) { data[index()] *= N; }

template <typename T> struct Accumulator {
    T total{};
    int count = 0;
    __device__ void add(T value) {
        total += value;
        ++count;
    }
    __device__ T mean() const { return count ? total / count : T{}; }
};

template <typename T> __global__ void class_template(T *out, const T *in, int n) {
    Accumulator<T> accumulator;
    for (int i = index(); i < n; i += 2)
        accumulator.add(in[i]);
    out[index()] = accumulator.mean();
}

template <> __global__ void class_template<char>(char *out, const char *in, int n) {
    out[index()] = in[n - 1 - index()]; // the specialisation does something else
}

template <typename... Values> __device__ int sum(Values... values) { return (0 + ... + values); }

__global__ void fold_expression(int *out) { out[index()] = sum() + sum(1) + sum(index(), 2, (short)3, 'a'); }

// Static polymorphism: the base calls the derived class.
template <typename Derived> struct Shape {
    __device__ float twice_area() const { return 2 * static_cast<const Derived *>(this)->area(); }
};
struct Square : Shape<Square> {
    float side;
    __device__ explicit Square(float side) : side(side) {}
    __device__ float area() const { return side * side; }
};
struct Disc : Shape<Disc> {
    float radius;
    __device__ explicit Disc(float radius) : radius(radius) {}
    __device__ float area() const { return 3 * radius * radius; }
};

__global__ void static_polymorphism(float *out) {
    float v = index();
    out[index()] = Square(v).twice_area() + Disc(v).twice_area();
}

template <int N> __device__ constexpr int factorial() {
    if constexpr (N <= 1)
        return 1;
    else
        return N * factorial<N - 1>();
}

struct Table {
    int values[8];
    constexpr Table() : values() {
        for (int i = 0; i < 8; i++)
            values[i] = i * i * i;
    }
};
__constant__ constexpr Table cubes;

__global__ void constant_expressions(int *out) {
    static_assert(factorial<5>() == 120);
    out[index()] = factorial<6>() + cubes.values[index() % 8];
}

template <typename F> __device__ float integrate(F f, float from, float to, int steps) {
    float sum = 0, width = (to - from) / steps;
    for (int i = 0; i < steps; i++)
        sum += f(from + i * width) * width;
    return sum;
}

__global__ void lambdas(float *out) {
    float slope = index();
    int calls = 0;
    float area = integrate([=, &calls](float x) { return calls++, slope * x + 1; }, 0, 4, 8);
    auto twice = [](auto value) { return value + value; };
    out[index()] = area + calls * 1000 + twice(0.5f) + twice(3);
}

// An overload is chosen by type and by constness; defaults fill in.
__device__ int kind(int) { return 1; }
__device__ int kind(unsigned) { return 2; }
__device__ int kind(float) { return 3; }
__device__ int kind(const int *) { return 4; }
__device__ int kind(int *) { return 5; }
__device__ int with_defaults(int a, int b = 10, int c = 100) { return a + b + c; }

__global__ void overloads(int *out, const int *in) {
    out[index()] = kind(1) + 10 * kind(1u) + 100 * kind(1.f) + 1000 * kind(in) + 10000 * kind(out) +
                   with_defaults(1) + with_defaults(1, 2) + with_defaults(1, 2, 3);
}

struct Point {
    int x, y;
};

// Structured bindings, range-for, initialisers in conditions.
__global__ void modern_syntax(int *out) {
    int squares[5];
    for (int i = 0; auto &square : squares)
        square = i * i, i++;
    auto [x, y] = Point{index(), 3};
    int sum = 0;
    for (auto square : squares)
        if (int odd = square % 2; odd)
            sum += square + odd;
    out[index()] = sum + x * 100 + y;
}

// A reference to a pointer, a const_cast, a member pointer.
__device__ void advance(const int *&p, int by) { p += by; }

__global__ void references(int *out, const int *in) {
    const int *p = in;
    advance(p, index());
    int Point::*member = index() % 2 ? &Point::x : &Point::y;
    Point point = {1, 2};
    int &alias = *const_cast<int *>(&out[index()]);
    alias = *p * 10 + point.*member;
}
