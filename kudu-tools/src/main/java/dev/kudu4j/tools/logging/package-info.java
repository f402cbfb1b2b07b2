/**
 * The log of a daemon: one line per event, with limited rate. Names and messages from other
 * processes are escaped ({@link dev.kudu4j.tools.logging.EscapedMessage}), and repeated warnings
 * are rate-limited ({@link dev.kudu4j.tools.logging.RepetitionFilter}). kudu4j-daemon-logback.xml
 * configures both. {@link dev.kudu4j.tools.logging.RecentLines} keeps the last lines for the web
 * pages.
 *
 * <p>This package depends on Logback, and on the interface through which web pages show the log.
 */
package dev.kudu4j.tools.logging;
