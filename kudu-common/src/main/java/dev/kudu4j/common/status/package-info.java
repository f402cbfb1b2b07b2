/**
 * Errors. {@link dev.kudu4j.common.status.KuduException} has a code from a closed set, {@link
 * dev.kudu4j.common.status.StatusCode}. The code determines retries and logging; the message is for
 * people.
 */
@NullMarked
package dev.kudu4j.common.status;

import org.jspecify.annotations.NullMarked;
