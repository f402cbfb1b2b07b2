package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.key.PrefixRange;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The range of encoded keys that a scan reads: the caller's bounds, narrowed by predicates on the
 * leading key columns. Predicates that the range fully covers are not evaluated again.
 *
 * <pre>
 *   a = 1 and b &gt;= 2 and b &lt; 5 and c = 7    key (a, b, c):  [ 1|2 , 1|5 )   left over: c = 7
 * </pre>
 *
 * @param lower inclusive; null is open
 * @param upper exclusive; null is open
 * @param rest predicates that remain to be evaluated
 * @param keys the scan's keys within the bounds, ascending; null if {@link ScanSpec#keys} is null
 */
record EncodedKeyRange(
    byte @Nullable [] lower,
    byte @Nullable [] upper,
    List<ColumnPredicate> rest,
    @Nullable List<byte[]> keys) {
  private static final byte[] SMALLEST_SUFFIX = {0};

  /**
   * @param predicates the scan's predicates, merged
   */
  static EncodedKeyRange of(ScanSpec spec, List<ColumnPredicate> predicates, Schema schema) {
    EncodedKeyRange range = ofPredicates(predicates, schema);
    byte @Nullable [] lower = later(range.lower, spec.lowerKey());
    if (spec.afterKey() != null) {
      lower = later(lower, concat(spec.afterKey(), SMALLEST_SUFFIX));
    }
    byte @Nullable [] upper = earlier(range.upper, spec.upperKey());
    return spec.keys() == null
        ? new EncodedKeyRange(lower, upper, range.rest, null)
        : ofKeys(spec.keys(), lower, upper, range.rest);
  }

  private static EncodedKeyRange ofKeys(
      List<byte[]> wanted,
      byte @Nullable [] lower,
      byte @Nullable [] upper,
      List<ColumnPredicate> rest) {
    List<byte[]> keys = new ArrayList<>(wanted.size());
    for (byte[] key : wanted) {
      boolean below = lower != null && Arrays.compareUnsigned(key, lower) < 0;
      if (!below && (upper == null || Arrays.compareUnsigned(key, upper) < 0)) {
        keys.add(key);
      }
    }
    if (keys.isEmpty()) {
      return new EncodedKeyRange(SMALLEST_SUFFIX, SMALLEST_SUFFIX, rest, keys);
    }
    byte[] last = keys.get(keys.size() - 1);
    return new EncodedKeyRange(keys.get(0), concat(last, SMALLEST_SUFFIX), rest, keys);
  }

  private static EncodedKeyRange ofPredicates(List<ColumnPredicate> predicates, Schema schema) {
    List<ColumnPredicate> rest = new ArrayList<>(predicates);
    KeyBuffer prefix = new KeyBuffer();
    int keyColumns = schema.keyColumnCount();
    for (int i = 0; i < keyColumns; i++) {
      ColumnSchema column = schema.column(i);
      boolean last = i == keyColumns - 1;
      @Nullable ColumnPredicate predicate = only(rest, column);
      if (predicate instanceof ColumnPredicate.Equality equality) {
        append(column, equality.value(), last, prefix);
        rest.remove(predicate);
      } else {
        return ofLast(predicate, column, last, prefix, rest);
      }
    }
    byte[] key = prefix.toByteArray();
    return new EncodedKeyRange(key, concat(key, SMALLEST_SUFFIX), rest, null);
  }

  /**
   * Handles the first key column for which the predicate allows several values; {@code prefix}
   * holds the single values of the preceding key columns.
   */
  private static EncodedKeyRange ofLast(
      @Nullable ColumnPredicate predicate,
      ColumnSchema column,
      boolean last,
      KeyBuffer prefix,
      List<ColumnPredicate> rest) {
    int prefixLength = prefix.length();
    byte @Nullable [] lower = prefixLength == 0 ? null : prefix.toByteArray();
    byte @Nullable [] upper = lower == null ? null : PrefixRange.end(lower);
    if (predicate instanceof ColumnPredicate.Range range) {
      rest.remove(predicate);
      if (range.lower() != null) {
        lower = with(column, range.lower(), last, prefix, prefixLength);
      }
      if (range.upper() != null) {
        upper = with(column, range.upper(), last, prefix, prefixLength);
      }
    } else if (predicate instanceof ColumnPredicate.InList list) {
      lower = with(column, list.values().get(0), last, prefix, prefixLength);
      byte[] largest = list.values().get(list.values().size() - 1);
      byte[] end = with(column, largest, last, prefix, prefixLength);
      upper = last ? concat(end, SMALLEST_SUFFIX) : PrefixRange.end(end);
    }
    return new EncodedKeyRange(lower, upper, rest, null);
  }

  private static byte[] with(
      ColumnSchema column, byte[] cell, boolean last, KeyBuffer prefix, int prefixLength) {
    prefix.truncate(prefixLength);
    append(column, cell, last, prefix);
    return prefix.toByteArray();
  }

  private static void append(ColumnSchema column, byte[] cell, boolean last, KeyBuffer out) {
    KeyEncoder.appendCell(column.type(), cell, 0, cell.length, last, out);
  }

  /** The predicate on the column if there is exactly one, else null. */
  private static @Nullable ColumnPredicate only(
      List<ColumnPredicate> predicates, ColumnSchema column) {
    @Nullable ColumnPredicate found = null;
    for (ColumnPredicate predicate : predicates) {
      if (predicate.column().id() == column.id()) {
        if (found != null) {
          return null;
        }
        found = predicate;
      }
    }
    return found;
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte @Nullable [] later(byte @Nullable [] a, byte @Nullable [] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  private static byte @Nullable [] earlier(byte @Nullable [] a, byte @Nullable [] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return Arrays.compareUnsigned(a, b) <= 0 ? a : b;
  }
}
