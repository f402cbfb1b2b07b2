/**
 * How things fail. {@link dev.kudu4j.common.status.KuduException} carries a code out of a closed
 * set, {@link dev.kudu4j.common.status.StatusCode}; the code decides retry and logging, the message
 * is for people.
 */
@NullMarked
package dev.kudu4j.common.status;

import org.jspecify.annotations.NullMarked;
