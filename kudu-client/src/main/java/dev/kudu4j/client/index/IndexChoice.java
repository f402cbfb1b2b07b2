package dev.kudu4j.client.index;

import dev.kudu4j.client.scan.KeyInterval;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses an index whose table is read instead of the indexed table.
 *
 * <p>An index can be read if it has all columns that the scan needs, and all rows that may match:
 * rows with NULL in an indexed column are not in it, so there must be a predicate on each nullable
 * one that NULL does not match.
 *
 * <p>All tablets of an index are read at one snapshot if an update may move a row to another one,
 * or if the scan reads a snapshot. It is current, and includes all writes of this client, unless
 * the scan has one.
 *
 * <p>It is read if the predicates fix more of its key than of the table's key: more leading columns
 * by equality, or as many and a range of the next one. Then it reads the matching rows only, in
 * their order, and the table at least the filtered columns of all its rows. So no estimate is
 * needed: an index that has all columns is never much slower than its table.
 */
public final class IndexChoice {
  private IndexChoice() {}

  /**
   * How a scan reads an index.
   *
   * @param query the scan of the index's table
   */
  public record Choice(IndexSource index, ScanQuery query) {}

  /** How much of a primary key predicates fix; the more, the fewer rows are read. */
  private record Fixed(int equalities, boolean range) implements Comparable<Fixed> {
    @Override
    public int compareTo(Fixed other) {
      return equalities != other.equalities
          ? Integer.compare(equalities, other.equalities)
          : Boolean.compare(range, other.range);
    }
  }

  /**
   * The index to read instead of the table; empty to read the table.
   *
   * @param query of the table, one that {@linkplain #canUseIndex can use an index}
   * @param indexes those that have all rows
   */
  public static Optional<Choice> of(ScanQuery query, List<IndexSource> indexes) {
    Set<String> needed = columnsOf(query);
    boolean forced = query.indexHint().getUse() == IndexHintPB.Use.FORCED;
    IndexSource best = null;
    Fixed most = forced ? new Fixed(0, false) : fixed(query, query.table());
    for (IndexSource index : indexes) {
      if (isAllowed(index, query.indexHint())
          && hasRows(index, query)
          && has(index, query, needed)) {
        Fixed fixed = fixed(query, index.table());
        if (fixed.compareTo(most) > 0) {
          best = index;
          most = fixed;
        }
      }
    }
    return best == null
        ? Optional.empty()
        : Optional.of(
            new Choice(
                best, query.ofIndex(best.table(), best.partitions(), ReadMode.READ_AT_SNAPSHOT)));
  }

  /**
   * The index that finds the keys of the rows, if none has all columns; empty to read the table. A
   * leading column of the index must be fixed by equality, so that few rows are likely.
   *
   * @param query of the table, one that {@linkplain #canLookBack can look back}
   * @param rows the maximum number of rows of the index to read
   * @param millis the maximum time for a batch of them
   */
  public static Optional<Choice> ofKeys(
      ScanQuery query, List<IndexSource> indexes, long rows, long millis) {
    Fixed most =
        query.indexHint().getUse() == IndexHintPB.Use.FORCED
            ? new Fixed(0, true)
            : fixed(query, query.table());
    IndexSource best = null;
    for (IndexSource index : indexes) {
      Fixed fixed = fixed(query, index.table());
      if (isAllowed(index, query.indexHint())
          && hasRows(index, query)
          && fixed.equalities() > 0
          && fixed.compareTo(most) > 0) {
        best = index;
        most = fixed;
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    List<ColumnSchema> key =
        query.table().columns().subList(0, query.table().keyColumnCount()).stream()
            .map(column -> column.toBuilder().id(ColumnSchema.NO_ID).key(false).build())
            .toList();
    return Optional.of(
        new Choice(
            best,
            query.ofIndexKeys(
                best.table(),
                best.partitions(),
                new ProjectedColumns(new Schema(key)),
                rows,
                millis)));
  }

  /** Whether a scan could look up the keys that an index has found, if there is one. */
  public static boolean canLookBack(ScanQuery query) {
    return canUseIndex(query)
        && query.limit() == Long.MAX_VALUE
        && query.aggregation() == null
        && !query.planOnly();
  }

  /** Whether a scan could read an index, if there is one. */
  public static boolean canUseIndex(ScanQuery query) {
    return query.lowerKey() == null
        && query.upperKey() == null
        && query.keys().isEmpty()
        && isWhole(query.partitionKeys())
        && query.diffStart() == ScanQuery.NO_TIMESTAMP
        && !query.ordered()
        && query.top() == null
        && !query.hasSample();
  }

  private static boolean isWhole(KeyInterval partitionKeys) {
    return partitionKeys.start().length == 0 && !partitionKeys.hasEnd();
  }

  private static boolean isAllowed(IndexSource index, IndexHintPB hint) {
    boolean named = hint.getNamesList().isEmpty() || hint.getNamesList().contains(index.name());
    return switch (hint.getUse()) {
      case CHOSEN -> true;
      case FORCED -> named;
      case FORBIDDEN -> !named;
    };
  }

  private static Set<String> columnsOf(ScanQuery query) {
    Set<String> names = new HashSet<>();
    query.columnsRead().schema().columns().forEach(column -> names.add(column.name()));
    query.predicates().forEach(predicate -> names.add(predicate.column().name()));
    if (query.condition() != null) {
      query.condition().forEachColumn(column -> names.add(column.name()));
    }
    if (query.aggregation() != null) {
      query.aggregation().columns().columns().forEach(column -> names.add(column.name()));
    }
    return names;
  }

  /** Whether the index has the columns; their names may differ during an alteration. */
  private static boolean has(IndexSource index, ScanQuery query, Set<String> names) {
    return names.stream().allMatch(name -> id(name, query.table()) == id(name, index.table()))
        && names.stream().allMatch(name -> index.table().indexOfName(name) >= 0);
  }

  private static int id(String name, Schema schema) {
    int index = schema.indexOfName(name);
    return index < 0 ? ColumnSchema.NO_ID : schema.column(index).id();
  }

  /** Whether the index has all rows that may match. */
  private static boolean hasRows(IndexSource index, ScanQuery query) {
    for (int i = 0; i < index.table().keyColumnCount(); i++) {
      ColumnSchema key = index.table().column(i);
      int column = query.table().indexOfName(key.name());
      if (column < 0 || query.table().column(column).id() != key.id()) {
        return false; // the table or the index is being altered
      }
      if (query.table().column(column).isNullable() && !rejectsNull(key.name(), query)) {
        return false;
      }
    }
    return true;
  }

  private static boolean rejectsNull(String column, ScanQuery query) {
    return query.predicates().stream()
        .filter(predicate -> predicate.column().name().equals(column))
        .anyMatch(predicate -> !(predicate instanceof ColumnPredicate.IsNull));
  }

  private static Fixed fixed(ScanQuery query, Schema table) {
    int equalities = 0;
    for (int i = 0; i < table.keyColumnCount(); i++) {
      String name = table.column(i).name();
      Optional<ColumnPredicate> predicate =
          query.predicates().stream().filter(one -> one.column().name().equals(name)).findFirst();
      if (predicate.isEmpty()) {
        break;
      }
      boolean isEquality =
          predicate.get() instanceof ColumnPredicate.Equality
              || predicate.get() instanceof ColumnPredicate.InList;
      if (!isEquality) {
        return new Fixed(equalities, isRange(predicate.get()));
      }
      equalities++;
    }
    return new Fixed(equalities, false);
  }

  private static boolean isRange(ColumnPredicate predicate) {
    return predicate instanceof ColumnPredicate.InBloomFilter bloom
        ? bloom.lower() != null || bloom.upper() != null
        : predicate instanceof ColumnPredicate.Range;
  }
}
