# SPDX-License-Identifier: Apache-2.0
"""Streams, events and graphs: work that runs while the host goes on, in CUDA's order.

stream, event            what the user has: Stream, Event
capture, graph, replay   work recorded once and launched many times: Graph
default_stream           the work without a stream, and the order that all streams of the process share
work_queue, moment       a thread that does work in order, and a place in that order
operations               what can be in a stream, beside moments

Nothing is imported here: of all this, a launch without a stream needs only default_stream.

Source: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution" and "CUDA Graphs"; CUDA Runtime API, "Stream
synchronization behavior".
"""
