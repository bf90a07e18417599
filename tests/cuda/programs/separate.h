extern __constant__ int factor;
extern __device__ int offset;
extern __device__ int twice(int x);
extern __device__ int scaled(int x);
template <int N> __global__ void add(int *p) { *p += N; }
int from_other_file(int *p);
int own_of_other_file();
void add_in_other_file(int *p);
