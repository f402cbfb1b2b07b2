/**
 * Threads that must not block.
 *
 * <p>An event loop that runs a short call must not wait for a disk, a lock that is held for long,
 * or another server: hundreds of connections would wait with it. {@link
 * dev.kudu4j.common.thread.EventLoopThread} marks such a section of work, and every operation that
 * may block calls {@link dev.kudu4j.common.thread.WouldBlock#check} first. The check ends the
 * section with {@link dev.kudu4j.common.thread.WouldBlock}, and its caller repeats the work on a
 * thread that may block.
 */
@NullMarked
package dev.kudu4j.common.thread;

import org.jspecify.annotations.NullMarked;
