/**
 * Linearizability of the lock-free structures: short random programs on real threads, whose results
 * must be those of some order of the calls on a plain sequential structure. Writers form a group
 * that never runs in parallel, as in the engine: one thread writes, any number read.
 */
package dev.kudu4j.tablet.concurrency;
