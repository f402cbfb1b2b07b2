/**
 * The tablet server: many tablets in one process. Start with {@link
 * dev.kudu4j.tserver.TabletServer}, which assembles the parts: hosted tablets ({@code tablets}),
 * writes ({@code write}), scanners ({@code scan}), and reports to the masters ({@code heartbeat}).
 *
 * <p>This package turns requests into operations on one tablet. It does not depend on how tablets
 * store rows, how the log is replicated, or where other tablets of the table are.
 */
@NullMarked
package dev.kudu4j.tserver;

import org.jspecify.annotations.NullMarked;
