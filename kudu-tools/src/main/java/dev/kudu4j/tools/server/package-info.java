/**
 * Verbs about one running server, which is named: its flags, memory, clock, status, and whether it
 * is quiescing. {@link dev.kudu4j.tools.server.ServerVerb} is what they have in common; most of
 * them stand under both {@code kudu master} and {@code kudu tserver}.
 *
 * <p>This package knows no tables and no tablets.
 */
package dev.kudu4j.tools.server;
