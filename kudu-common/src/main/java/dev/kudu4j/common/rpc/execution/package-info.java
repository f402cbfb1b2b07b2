/**
 * The threads that run the calls of a server. {@link dev.kudu4j.common.rpc.execution.CallExecution}
 * is the interface, and a {@link dev.kudu4j.common.rpc.execution.ThreadModel} selects the
 * implementation.
 *
 * <pre>
 *   model         short calls           long calls            calls that block
 *   pool          pool                  pool                  pool
 *   shared        event loop            event loop            pool
 *   per_request   a thread each         a thread each         a thread each
 *   adaptive      event loop, bounded   pool                  pool
 * </pre>
 *
 * <p>{@code pool}, {@code shared} and {@code per_request} are the models FP, STS and TS of the
 * paper on RDMA-HBase. Each hand-over of a call from one thread to another takes longer than a read
 * of a row by its key, so a short call is fastest on the event loop that received it. A call that
 * blocks there would delay all connections of the loop. Therefore {@code adaptive} runs only short
 * calls there, {@link dev.kudu4j.common.thread.WouldBlock} ends one that would block, and a loop
 * that is busy for too long passes calls to the pool.
 *
 * <p>This package knows tasks, not calls: services and connections are in {@link
 * dev.kudu4j.common.rpc}.
 */
@NullMarked
package dev.kudu4j.common.rpc.execution;

import org.jspecify.annotations.NullMarked;
