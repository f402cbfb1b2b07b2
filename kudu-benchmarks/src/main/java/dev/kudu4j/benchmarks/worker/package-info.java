/**
 * Child processes that do work for a benchmark, with class paths and heaps of their own: orders and
 * answers are lines over pipes.
 *
 * <pre>
 *   WorkerProcess                             Worker
 *                         answer: ready
 *   order  INSERT_1 a     answer: ok RATE=512345.6 CPU=2.3
 *   order  DROP           answer: ok
 *   order  GET            answer: failed Key ... was not found
 *   end of the orders     end of the process
 * </pre>
 *
 * <p>Output lines that do not begin with {@code answer:} come from the JVM or from libraries and
 * are ignored. This package needs only the JDK, so that a worker's class path can be any.
 */
package dev.kudu4j.benchmarks.worker;
