/**
 * Verbs for one given running server: its flags, memory, clock, status and quiescing. {@link
 * dev.kudu4j.tools.server.ServerVerb} is their base class. Most of them exist under both {@code
 * kudu master} and {@code kudu tserver}.
 *
 * <p>This package does not depend on tables or tablets.
 */
package dev.kudu4j.tools.server;
