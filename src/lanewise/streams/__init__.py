# SPDX-License-Identifier: Apache-2.0
"""Streams, events and graphs: work that runs concurrently with the host, in CUDA's order.

stream, event            the user's classes: Stream, Event
capture, graph, replay   work recorded once and launched many times: Graph
default_stream           work without a stream, and the order common to all streams of the process
work_queue, moment       a thread that runs work in order, and a place in that order
operations, nodes        the kinds of work in a stream, apart from moments; a piece of a graph's work

Nothing is imported here: a launch without a stream needs only default_stream.

Source: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution" and "CUDA Graphs"; CUDA Runtime API, "Stream
synchronization behavior".
"""
