/**
 * Names that come from outside: ids, and text for messages about what is wrong with them. Start
 * with {@link dev.kudu4j.common.id.HexId}.
 */
@NullMarked
package dev.kudu4j.common.id;

import org.jspecify.annotations.NullMarked;
