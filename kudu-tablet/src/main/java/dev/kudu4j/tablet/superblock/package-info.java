/**
 * The superblock: one small file that defines a tablet's durable state as "the log up to N, in
 * these files". The superblock is replaced atomically. A data file that it does not reference is
 * garbage.
 */
@NullMarked
package dev.kudu4j.tablet.superblock;

import org.jspecify.annotations.NullMarked;
