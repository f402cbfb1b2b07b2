package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnVector;
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

  // Set when a request begins, so not null while its rows are applied.
  @SuppressWarnings("NullAway.Init")
  private RequestColumns columns;

  @SuppressWarnings("NullAway.Init")
  private RowOperationsReader reader;

  UniqueRules(AppliedState state, BufferAllocator allocator) {
    this.state = state;
    this.indexes = new UniqueIndexes(allocator);
  }

  void begin(RequestColumns requestColumns, RowOperationsReader rows) {
    enforced = indexes.of(state.descriptor());
    columns = requestColumns;
    reader = rows;
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
    for (UniqueIndex index : enforced) {
      IndexValue value = index.value();
      value.begin();
      for (int id : index.definition().columns()) {
        int column = columns.schema().indexOfId(id);
        if (cells.isNull(column)) {
          break;
        }
        value.append(cells.cellArray(column), cells.cellOffset(column), cells.cellLength(column));
      }
      if (index.isTaken(state.components().get(), place)) {
        return index;
      }
    }
    return null;
  }

  /**
   * The first index in which another row has a value that the update sets; null if there is none.
   *
   * @param at the row, which is live
   */
  @Nullable UniqueIndex violatedByUpdate(RowLocator at) throws IOException {
    if (enforced.isEmpty()) {
      return null;
    }
    locate(at);
    for (UniqueIndex index : enforced) {
      index.value().begin();
      if (changes(index)) {
        setUpdated(index);
      }
      if (index.isTaken(state.components().get(), place)) {
        return index;
      }
    }
    return null;
  }

  private boolean changes(UniqueIndex index) {
    Schema schema = columns.schema();
    for (int id : index.definition().columns()) {
      if (isChanged(schema.indexOfId(id))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the update sets a column, as {@link RequestApplier} builds it. */
  private boolean isChanged(int column) {
    ColumnSchema schema = columns.schema().column(column);
    int given = columns.requestIndex(column);
    return given >= 0 && !schema.isKey() && !schema.isImmutable() && reader.isSet(given);
  }

  /** Sets the value that the row has after the update. */
  private void setUpdated(UniqueIndex index) throws IOException {
    List<Integer> ids = index.definition().columns();
    IndexValue value = index.value();
    List<ColumnVector> current = null;
    for (int i = 0; i < ids.size(); i++) {
      int column = columns.schema().indexOfId(ids.get(i));
      if (isChanged(column)) {
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
