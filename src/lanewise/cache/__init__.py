# SPDX-License-Identifier: Apache-2.0
"""The compile cache: keys, a content-addressed store, and manifests of included headers.

keys, store    digests of what a result depends on; the entries
manifest       from a source to a result, through the headers that it included
folder         folders that only their owner may write to
"""

from lanewise.cache.keys import key, tool_versions
from lanewise.cache.manifest import Found, Manifests, absolute
from lanewise.cache.store import DEFAULT_LIMIT, Cache, CacheInfo

__all__ = ["DEFAULT_LIMIT", "Cache", "CacheInfo", "Found", "Manifests", "absolute", "key", "tool_versions"]
