/**
 * Order-preserving keys: {@link dev.kudu4j.common.key.KeyEncoder} turns cells into bytes that
 * compare as the values do; {@link dev.kudu4j.common.key.KeyDecoder} turns them back.
 */
@NullMarked
package dev.kudu4j.common.key;

import org.jspecify.annotations.NullMarked;
