// SPDX-License-Identifier: Apache-2.0
// Host side: what lets one declaration serve C and C++.
#ifndef LANEWISE_HOST_LANGUAGE_H
#define LANEWISE_HOST_LANGUAGE_H

#ifdef __cplusplus
#define __LW_BEGIN_C extern "C" {
#define __LW_END_C }
#define __LW_OR(value) = value // a default argument
#else
#define __LW_BEGIN_C
#define __LW_END_C
#define __LW_OR(value)
#endif

#endif
