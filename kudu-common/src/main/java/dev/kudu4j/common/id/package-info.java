/**
 * Ids and other text from untrusted sources: validation, and safe formatting for messages. Start
 * with {@link dev.kudu4j.common.id.HexId}.
 */
@NullMarked
package dev.kudu4j.common.id;

import org.jspecify.annotations.NullMarked;
