# SPDX-License-Identifier: Apache-2.0
"""From a source to a program.

compilation   lw.compile: the source, its front end and the options
linking       lw.link: several sources
language      the language of a source that names none
translation   a unit's kernel IR, through the front end or through the cache past it
products      the forms of a program: kernel IR, linked kernel IR, PTX
through_ptx   programs as devices take them that want PTX
libraries     what programs are linked with
mathematics   which mathematical functions PTX gets
"""
