package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.delta.RowChangeBuilder;
import dev.kudu4j.tablet.index.IndexValue;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.unique.RowPlace;
import dev.kudu4j.tablet.unique.UniqueIndex;
import dev.kudu4j.tablet.unique.UniqueIndexes;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a row may be written as far as unique indexes are concerned, and tells them
 * what was written. The caller holds the writer lock. Reusable.
 */
final class UniqueRules implements AutoCloseable {
  private final AppliedState state;
  private final UniqueIndexes indexes;
  private final RowPlace place = new RowPlace();
  private List<UniqueIndex> enforced = List.of();

  /** For each enforced index, its columns as positions in the tablet's schema. */
  private int[][] positions = {};

  // Set when a request begins, so not null while its rows are applied.
  @SuppressWarnings("NullAway.Init")
  private RequestColumns columns;

  @SuppressWarnings("NullAway.Init")
  private RowOperationsReader reader;

  private boolean allowed;

  UniqueRules(AppliedState state, BufferAllocator allocator) {
    this.state = state;
    this.indexes = new UniqueIndexes(allocator);
  }

  /**
   * Begins a request.
   *
   * @param allow whether rows may have a value of another row: rows that a transaction has staged
   *     cannot fail; the search for equal rows will find them
   */
  @SuppressWarnings("ReferenceEquality") // another list or layout is another object
  void begin(RequestColumns requestColumns, RowOperationsReader rows, boolean allow) {
    List<UniqueIndex> now = indexes.of(state.descriptor());
    if (now != enforced || requestColumns != columns) {
      enforced = now;
      positions = positions(now, requestColumns.schema());
    }
    columns = requestColumns;
    reader = rows;
    allowed = allow;
  }

  private static int[][] positions(List<UniqueIndex> indexes, Schema schema) {
    int[][] positions = new int[indexes.size()][];
    for (int i = 0; i < positions.length; i++) {
      List<Integer> ids = indexes.get(i).definition().columns();
      positions[i] = ids.stream().mapToInt(schema::indexOfId).toArray();
    }
    return positions;
  }

  /**
   * The first index in which another row has a value of the row to insert; null if there is none.
   *
   * @param at where the key was looked up
   */
  @Nullable UniqueIndex violatedByInsert(InsertCells cells, RowLocator at) throws IOException {
    if (enforced.isEmpty()) {
      return null;
    }
    locate(at);
    for (int i = 0; i < positions.length; i++) {
      UniqueIndex index = enforced.get(i);
      IndexValue value = index.value();
      value.begin();
      for (int column : positions[i]) {
        if (cells.isNull(column)) {
          break;
        }
        value.append(cells.cellArray(column), cells.cellOffset(column), cells.cellLength(column));
      }
      if (index.isTaken(state.components().get(), place) && !allowed) {
        return index;
      }
    }
    return null;
  }

  /**
   * The first index in which another row has a value that the update sets; null if there is none.
   *
   * @param at the row, which is live
   * @param change what the update sets
   */
  @Nullable UniqueIndex violatedByUpdate(RowLocator at, RowChangeBuilder change)
      throws IOException {
    if (enforced.isEmpty()) {
      return null;
    }
    locate(at);
    for (int i = 0; i < positions.length; i++) {
      UniqueIndex index = enforced.get(i);
      index.value().begin();
      if (changesAny(positions[i], change)) {
        setUpdated(index, positions[i], change);
      }
      if (index.isTaken(state.components().get(), place) && !allowed) {
        return index;
      }
    }
    return null;
  }

  private boolean changesAny(int[] some, RowChangeBuilder change) {
    for (int column : some) {
      if (isChanged(column, change)) {
        return true;
      }
    }
    return false;
  }

  private boolean isChanged(int column, RowChangeBuilder change) {
    return change.hasCell(columns.schema().column(column).id());
  }

  /** Sets the value that the row has after the update. */
  private void setUpdated(UniqueIndex index, int[] indexed, RowChangeBuilder change)
      throws IOException {
    IndexValue value = index.value();
    @Nullable List<ColumnVector> current = null;
    for (int i = 0; i < indexed.length; i++) {
      int column = indexed[i];
      if (isChanged(column, change)) {
        int given = columns.requestIndex(column);
        if (reader.isNull(given)) {
          return;
        }
        value.append(reader.cellArray(given), reader.cellOffset(given), reader.cellLength(given));
      } else {
        current = current == null ? index.read(place) : current;
        if (!value.append(current.get(i), 0)) {
          return;
        }
      }
    }
  }

  private void locate(RowLocator at) {
    switch (at.location()) {
      case ABSENT -> place.setNone();
      case ACTIVE, ACTIVE_DELETED -> place.set(active(), at.row());
      case FROZEN -> {
        MemRowSet frozen = state.components().get().frozenMemRowSet();
        assert frozen != null : "the row is in it";
        place.set(frozen, at.row());
      }
      case DISK -> place.set(at.rowSet(), at.ordinal());
    }
  }

  /** The row that was asked about was inserted, with this address. */
  void inserted(long row) {
    if (!enforced.isEmpty()) {
      place.set(active(), row);
      changed();
    }
  }

  /** The row that was asked about was changed or inserted again. */
  void changed() {
    for (UniqueIndex index : enforced) {
      index.note(place);
    }
  }

  private MemRowSet active() {
    return state.components().get().activeMemRowSet();
  }

  @Override
  public void close() {
    indexes.close();
  }
}
