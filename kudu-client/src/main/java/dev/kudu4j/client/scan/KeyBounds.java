package dev.kudu4j.client.scan;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicate.Equality;
import dev.kudu4j.common.predicate.ColumnPredicate.InBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicate.InList;
import dev.kudu4j.common.predicate.ColumnPredicate.Range;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.status.KuduException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Computes the interval of encoded keys of given columns that contains the keys of all matching
 * rows.
 *
 * <p>A bound is encoded from the leading columns that predicates restrict. It consists of the
 * values of equalities and the least or greatest values of lists, and ends with the bound of the
 * first range. A lower bound that is a prefix is completed to the first full key that starts with
 * it. An upper bound of inclusive values is advanced to the first key after all keys that start
 * with it. Pure functions.
 */
final class KeyBounds {
  private static final byte[] NOTHING = new byte[0];

  private KeyBounds() {}

  /**
   * The interval of keys of {@code columns}, in this order, that can match the predicates. The map
   * contains the predicates by column name.
   */
  static KeyInterval ofPredicates(
      List<ColumnSchema> columns, Map<String, ColumnPredicate> predicates) {
    return new KeyInterval(lower(columns, predicates), upper(columns, predicates));
  }

  private static byte[] lower(List<ColumnSchema> columns, Map<String, ColumnPredicate> predicates) {
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < columns.size(); i++) {
      byte[] min = min(predicates.get(columns.get(i).name()));
      if (min != null) {
        append(columns, i, min, key);
      } else if (i == 0) {
        break;
      } else { // the lowest full key with this prefix
        appendMinima(columns, i, key);
        break;
      }
    }
    return key.toByteArray();
  }

  private static byte[] upper(List<ColumnSchema> columns, Map<String, ColumnPredicate> predicates) {
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < columns.size(); i++) {
      ColumnPredicate predicate = predicates.get(columns.get(i).name());
      byte[] greatest = greatest(predicate);
      if (greatest != null) {
        append(columns, i, greatest, key);
        continue;
      }
      byte[] excluded = excluded(predicate);
      if (excluded == null) {
        return behindPrefix(columns, i, key);
      }
      append(columns, i, excluded, key);
      return key.toByteArray();
    }
    return behindPrefix(columns, columns.size(), key);
  }

  /**
   * The interval of keys of the first {@code columnCount} primary key columns that contains an
   * interval of primary keys; all keys if a bound is malformed.
   *
   * @param lower encoded primary key, null for none
   * @param upper encoded primary key, null for none
   */
  static KeyInterval ofPrimaryKeys(
      List<ColumnSchema> primaryKey, int columnCount, byte[] lower, byte[] upper) {
    try {
      byte[] start = lower == null ? NOTHING : prefix(primaryKey, columnCount, lower, false);
      byte[] end = upper == null ? NOTHING : prefix(primaryKey, columnCount, upper, true);
      return new KeyInterval(start, end);
    } catch (KuduException malformed) { // the servers report the malformed key
      return KeyInterval.ALL;
    }
  }

  private static byte[] prefix(
      List<ColumnSchema> primaryKey, int columnCount, byte[] encoded, boolean behind) {
    if (columnCount == primaryKey.size()) {
      return encoded;
    }
    List<ColumnSchema> columns = primaryKey.subList(0, columnCount);
    byte[][] cells =
        KeyDecoder.decode(primaryKey.stream().map(ColumnSchema::type).toList(), encoded);
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < columnCount; i++) {
      append(columns, i, cells[i], key);
    }
    return behind && !endsWithMinima(primaryKey, columnCount, cells)
        ? behindPrefix(columns, columnCount, key)
        : key.toByteArray();
  }

  /** Whether a key is the first of those that share its leading {@code from} columns. */
  private static boolean endsWithMinima(List<ColumnSchema> columns, int from, byte[][] cells) {
    return IntStream.range(from, cells.length)
        .allMatch(i -> Arrays.equals(cells[i], CellOrder.minimum(columns.get(i).type())));
  }

  private static void append(List<ColumnSchema> columns, int index, byte[] cell, KeyBuffer key) {
    boolean last = index == columns.size() - 1;
    KeyEncoder.appendCell(columns.get(index).type(), cell, 0, cell.length, last, key);
  }

  private static void appendMinima(List<ColumnSchema> columns, int from, KeyBuffer key) {
    for (int i = from; i < columns.size(); i++) {
      KeyEncoder.appendMinimum(columns.get(i).type(), i == columns.size() - 1, key);
    }
  }

  /** The first key after all keys whose leading {@code count} columns are those in the buffer. */
  private static byte[] behindPrefix(List<ColumnSchema> columns, int count, KeyBuffer key) {
    if (count == 0) {
      return NOTHING;
    }
    if (count == columns.size() && columns.get(count - 1).type().isVariableLength()) {
      key.append((byte) 0); // text at the end has no terminator: this is its successor
      return key.toByteArray();
    }
    byte[] next = key.toByteArray();
    for (int i = next.length - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return Arrays.copyOf(next, i + 1);
      }
    }
    return NOTHING;
  }

  private static byte[] min(ColumnPredicate predicate) {
    if (predicate instanceof Equality equality) {
      return equality.value();
    } else if (predicate instanceof InList list) {
      return list.values().get(0);
    } else if (predicate instanceof Range range) {
      return range.lower();
    }
    return predicate instanceof InBloomFilter bloom ? bloom.lower() : null;
  }

  private static byte[] greatest(ColumnPredicate predicate) {
    if (predicate instanceof Equality equality) {
      return equality.value();
    }
    return predicate instanceof InList list ? list.values().get(list.values().size() - 1) : null;
  }

  private static byte[] excluded(ColumnPredicate predicate) {
    if (predicate instanceof Range range) {
      return range.upper();
    }
    return predicate instanceof InBloomFilter bloom ? bloom.upper() : null;
  }
}
