/**
 * The {@code kudu} command: {@link dev.kudu4j.tools.Kudu} finds the verb and runs it. It passes the
 * flags of a daemon on to the daemon, which parses them in Apache Kudu's style; it parses all other
 * arguments itself.
 */
package dev.kudu4j.tools;
