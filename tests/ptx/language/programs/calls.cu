// Functions that stay functions: results, arguments of all kinds, pointers to functions, recursion, varargs.
#include <cstdio>
struct Pair { float a; double b; int c[3]; };
typedef float (*Function)(float, int);
__device__ __noinline__ float scaled(float x, int n) { return x * n; }
__device__ __noinline__ float shifted(float x, int n) { return x + n; }
__device__ __noinline__ Pair made(Pair p, int i) { p.c[i % 3] += i; p.a = scaled(p.a, i); return p; }
__device__ __noinline__ int recursive(int n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }
__device__ Function table[] = {scaled, shifted, nullptr};
__device__ Function *indirect = table + 1;
__constant__ Function constants[2] = {shifted, scaled};
struct Shape { __device__ virtual float area(float) const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape { float side; __device__ Square(float s) : side(s) {} __device__ float area(float x) const override { return side * side * x; } };
struct Disc : Shape { float r; __device__ Disc(float s) : r(s) {} __device__ float area(float x) const override { return r * r * 3.14f * x; } };
__global__ void through_pointers(float *out, int which, Pair p) {
    int i = threadIdx.x;
    Shape *shape = which & 1 ? static_cast<Shape *>(new Square(p.a)) : new Disc(p.a);
    out[i] = table[which](out[i], i) + constants[which & 1](1.5f, 2) + (*indirect)(2.0f, i) + shape->area(out[i]);
    Pair q = made(p, i);
    out[i] += q.a + float(q.b) + q.c[1] + recursive(which);
    printf("%d %f %s\n", i, out[i], "text with \"quotes\", { and ; \\ in it");
    delete shape;
}
