// SPDX-License-Identifier: Apache-2.0
// The CUDA version that these headers speak for: programs choose their code by it.
#ifndef LANEWISE_VERSIONS_H
#define LANEWISE_VERSIONS_H

#define CUDA_VERSION 12080
#define CUDART_VERSION 12080
#define __CUDART_API_VERSION CUDART_VERSION

#endif
