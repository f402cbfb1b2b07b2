/**
 * Histories of calls, and the check whether a single register could have answered them.
 *
 * <p>A {@link dev.kudu4j.itest.history.RegisterCall} contains the request, the response, and the
 * times of both. {@link dev.kudu4j.itest.history.Linearizability} decides whether an order of the
 * calls is consistent with these times such that each read returns the value written last. {@link
 * dev.kudu4j.itest.history.PorcupineFile} writes the same calls for an independent checker.
 *
 * <p>This package does not depend on servers, tables or clients.
 */
package dev.kudu4j.itest.history;
