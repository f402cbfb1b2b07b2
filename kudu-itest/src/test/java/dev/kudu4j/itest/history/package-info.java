/**
 * Histories of calls, and the judgement whether a single register could have answered them.
 *
 * <p>A {@link dev.kudu4j.itest.history.RegisterCall} says what was asked, what came back, and
 * between which two moments. {@link dev.kudu4j.itest.history.Linearizability} decides whether there
 * is an order of the calls that keeps to these moments and in which each read returns the value
 * written last. {@link dev.kudu4j.itest.history.PorcupineFile} writes the same calls for a second
 * opinion.
 *
 * <p>This package knows nothing of servers, tables or clients.
 */
package dev.kudu4j.itest.history;
