/**
 * The log of a daemon: one event, one line, and no flood. Names and messages that come from outside
 * are escaped ({@link dev.kudu4j.tools.logging.EscapedMessage}), and a warning that repeats is
 * written at a limited rate ({@link dev.kudu4j.tools.logging.RepetitionFilter}).
 * kudu4j-daemon-logback.xml uses both. {@link dev.kudu4j.tools.logging.RecentLines} keeps the last
 * lines for the web pages.
 *
 * <p>This package knows Logback, and of servers what they show of a log.
 */
package dev.kudu4j.tools.logging;
