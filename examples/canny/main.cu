// SPDX-License-Identifier: Apache-2.0
//
// Finds the edges of a picture with the kernels of canny.cu, as demo.py does from Python:
//
//     canny PICTURE.pgm EDGES.pgm
//
// Pictures are grey, with 8 bits a pixel: PGM, form P5.

#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "canny.cu"

constexpr float LOW = 60, HIGH = 150; // lengths of the Sobel gradient

struct Picture {
    int width, height;
    std::vector<unsigned char> pixels;
};

// Ends the program's work by an exception if a call of CUDA's has failed.
void check(cudaError_t error) {
    if (error != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(error));
}

// An array in the device's memory.
template <typename T> struct DeviceArray {
    T *data = nullptr;

    explicit DeviceArray(size_t size) { check(cudaMalloc(&data, size * sizeof(T))); }
    ~DeviceArray() { cudaFree(data); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
};

// The next number of a PGM file's head; lines that begin with # are comments.
int read_number(std::istream &file) {
    while ((file >> std::ws).peek() == '#')
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    int number = 0;
    file >> number;
    return number;
}

Picture read_pgm(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(path + " can't be read");
    bool is_pgm = file.get() == 'P' && file.get() == '5';
    int width = read_number(file), height = read_number(file), most = read_number(file);
    file.get(); // the one blank before the pixels
    if (!is_pgm || !file || width <= 0 || height <= 0 || most != 255)
        throw std::runtime_error(path + " is no PGM file (P5) of 8 bits a pixel");
    Picture picture = {width, height, std::vector<unsigned char>(size_t(width) * height)};
    if (!file.read(reinterpret_cast<char *>(picture.pixels.data()), picture.pixels.size()))
        throw std::runtime_error(path + " ends early");
    return picture;
}

void write_pgm(const std::string &path, const Picture &picture) {
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << picture.width << ' ' << picture.height << "\n255\n";
    file.write(reinterpret_cast<const char *>(picture.pixels.data()), picture.pixels.size());
    file.close();
    if (!file)
        throw std::runtime_error(path + " can't be written");
}

// 255 where there is an edge, 0 elsewhere.
Picture find_edges(const Picture &picture) {
    int width = picture.width, height = picture.height;
    size_t size = picture.pixels.size();
    dim3 block(TILE, TILE), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);

    DeviceArray<float> image(size), blurred(size), length(size);
    DeviceArray<Direction> direction(size);
    DeviceArray<State> state(size), after(size);
    DeviceArray<unsigned char> edges(size);
    DeviceArray<int> changed(1);

    std::vector<float> grey(picture.pixels.begin(), picture.pixels.end());
    check(cudaMemcpy(image.data, grey.data(), size * sizeof(float), cudaMemcpyHostToDevice));

    blur<<<grid, block>>>(blurred.data, image.data, width, height);
    gradient<<<grid, block>>>(length.data, direction.data, blurred.data, width, height);
    suppress<<<grid, block>>>(state.data, length.data, direction.data, LOW, HIGH, width, height);
    for (int again = 1; again;) {
        check(cudaMemset(changed.data, 0, sizeof(int)));
        hysteresis<<<grid, block>>>(after.data, changed.data, state.data, width, height);
        check(cudaMemcpy(&again, changed.data, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(state.data, after.data);
    }
    draw<<<grid, block>>>(edges.data, state.data, width, height);
    check(cudaGetLastError());

    Picture found = {width, height, std::vector<unsigned char>(size)};
    check(cudaMemcpy(found.pixels.data(), edges.data, size, cudaMemcpyDeviceToHost));
    return found;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::cerr << "usage: " << argv[0] << " PICTURE.pgm EDGES.pgm\n";
        return 2;
    }
    try {
        write_pgm(argv[2], find_edges(read_pgm(argv[1])));
    } catch (const std::exception &error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
}
