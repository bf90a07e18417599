# SPDX-License-Identifier: Apache-2.0
"""Streams, events and graphs: work that runs concurrently with the host, in CUDA's order.

stream, event            the user's classes: Stream, Event
capture, graph, replay   work recorded once and launched many times: Graph
default_stream           work without a stream, and the order common to all streams of the process
queue, work_thread       a queue of the host runtime, and the thread of Python that serves it
failures                 the exceptions of work that has failed
operations, nodes        the kinds of work in a stream, apart from marks; a piece of a graph's work

Order, marks and what fails with what are the host runtime's (`runtime/queue`). Nothing is imported here: a launch
without a stream needs only default_stream.

Source: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution" and "CUDA Graphs"; CUDA Runtime API, "Stream
synchronization behavior".
"""
