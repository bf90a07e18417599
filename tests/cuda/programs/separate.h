extern __constant__ int factor;
extern __device__ int offset;
extern __device__ int twice(int x);
extern __device__ int scaled(int x);
int from_other_file(int *p);
