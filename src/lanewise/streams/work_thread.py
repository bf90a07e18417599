# SPDX-License-Identifier: Apache-2.0
"""The threads of queues, and what their work may not do."""

import threading
from typing import final

from lanewise.errors import LaunchError


@final
class WorkThread(threading.Thread):
    """The thread of a queue. Only its type is used: it identifies the current thread."""


def refuse_in_host_function() -> None:
    """Raise LaunchError in a host function that runs in a stream: waiting for that stream, it would wait for itself."""
    if isinstance(threading.current_thread(), WorkThread):
        raise LaunchError("a host function in a stream can't launch, copy or wait (cudaErrorNotPermitted)")
