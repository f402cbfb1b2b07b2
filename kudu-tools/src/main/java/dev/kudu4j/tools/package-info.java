/**
 * The {@code kudu} command: {@link dev.kudu4j.tools.Kudu} finds the verb and runs it. Daemons take
 * flags in Apache Kudu's style, as they come; everything else is parsed here.
 */
package dev.kudu4j.tools;
