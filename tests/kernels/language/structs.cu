// SPDX-License-Identifier: Apache-2.0
// Structs by value, in arrays, nested, padded, with bit-fields and unions; enumerations.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

struct Body {
    float position[3];
    double mass;
    char name;
    short spin;
};

__global__ void array_of_structs(Body *bodies, double *energy) {
    Body &b = bodies[index()];
    b.position[0] += 1;
    b.position[index() % 3] *= 2;
    energy[index()] = b.mass * b.spin + b.name;
    b.spin = -b.spin;
}

struct Settings {
    int offset;
    float factor;
    struct {
        unsigned char low, high;
    } limits;
    double exponents[2];
};

__global__ void struct_by_value(double *out, Settings settings, int last) {
    double v = (index() + settings.offset) * settings.factor;
    if (v < settings.limits.low)
        v = settings.limits.low;
    if (v > settings.limits.high)
        v = settings.limits.high;
    out[index()] = v * settings.exponents[0] + settings.exponents[1] + last;
}

// A parameter is a variable of the work-item's own.
__global__ void parameter_is_changed(int *out, Settings settings) {
    for (int i = 0; i <= index() % 4; i++)
        settings.offset += i;
    out[index()] = settings.offset;
}

struct Complex {
    float re, im;
    __device__ Complex operator*(Complex other) const {
        return {re * other.re - im * other.im, re * other.im + im * other.re};
    }
    __device__ Complex &operator+=(Complex other) {
        re += other.re;
        im += other.im;
        return *this;
    }
};

__device__ Complex power(Complex base, int exponent) {
    Complex result = {1, 0};
    for (int i = 0; i < exponent; i++)
        result = result * base;
    return result;
}

__global__ void complex_numbers(Complex *out, const Complex *in) {
    Complex sum = power(in[index()], 3);
    sum += in[index()];
    out[index()] = sum;
}

struct Packed {
    unsigned low : 5;
    int middle : 7;
    unsigned high : 20;
};

__global__ void bit_fields(unsigned *out, const unsigned *in) {
    Packed p;
    unsigned v = in[index()];
    p.low = v;
    p.middle = (int)(v >> 5);
    p.high = v >> 12;
    p.low += 3;
    out[index()] = p.low + 100 * (p.middle + 64) + 100000 * (p.high % 1000);
}

union Word {
    float real;
    unsigned bits;
    unsigned char bytes[4];
};

__global__ void union_of_bytes(unsigned *out, const float *in) {
    Word w;
    w.real = in[index()];
    unsigned sum = w.bytes[0] + 2 * w.bytes[1] + 3 * w.bytes[2] + 4 * w.bytes[3];
    w.bytes[3] ^= 0x80;
    out[index()] = w.bits + sum;
}

enum Colour { RED, GREEN = 5, BLUE };
enum class Shade : unsigned char { LIGHT = 3, DARK = 200 };

__global__ void enumerations(int *out, const Shade *shades, Colour colour) {
    Colour c = index() % 2 ? GREEN : BLUE;
    out[index()] = c * 1000 + (shades[index()] == Shade::DARK ? 1 : 2) * 100 + (colour == BLUE);
}

// A struct that doesn't fit in registers, copied whole and compared by member.
struct Large {
    int values[20];
};

__device__ Large doubled(Large large) {
    for (int &value : large.values)
        value *= 2;
    return large;
}

__global__ void large_struct_returned(int *out, const int *in) {
    Large large;
    for (int i = 0; i < 20; i++)
        large.values[i] = in[index()] + i;
    Large twice = doubled(large), copy = twice;
    copy.values[index() % 20] = 0;
    int sum = 0;
    for (int i = 0; i < 20; i++)
        sum += copy.values[i] - large.values[i];
    out[index()] = sum;
}

// A struct that holds pointers to device memory.
struct View {
    const float *data;
    int rows, columns;
    __device__ float at(int row, int column) const { return data[row * columns + column]; }
};

__device__ float trace(View view) {
    float sum = 0;
    for (int i = 0; i < view.rows && i < view.columns; i++)
        sum += view.at(i, i);
    return sum;
}

__global__ void pointer_in_struct(float *out, const float *in, int side) {
    View view = {in, side, side};
    out[index()] = trace(view) + view.at(index() % side, 0);
}
