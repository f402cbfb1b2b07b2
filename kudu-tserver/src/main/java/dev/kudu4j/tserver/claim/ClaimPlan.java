package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.row.ArrayCells;
import dev.kudu4j.common.row.DefaultedCells;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tserver.tablets.WriteSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which values the rows of a request need claims for. It does not know which rows will succeed, so
 * there may be more claims than values; those are released.
 *
 * <p>Rows that cannot change a value of an index are passed over: they need neither a lock nor a
 * claim. Used by one thread at a time.
 */
final class ClaimPlan {
  /** An unset column of a table in which no row sets it. */
  private static final int NONE = -1;

  /**
   * A value that a row of the request is about to have.
   *
   * @param row number in the request
   * @param index the place of the index
   */
  record Need(int row, int index, ByteString owner, ByteString value) {}

  /**
   * A row that may change a value.
   *
   * @param number in the request
   */
  record Row(int number, OperationType type, ByteString key) {
    /** Whether the row had no value before, if it is written. */
    boolean isInsert() {
      return type == OperationType.INSERT || type == OperationType.INSERT_IGNORE;
    }
  }

  private final TabletClaims.Indexes indexes;
  private final WriteSchema schema;
  private final RowOperations rows;
  private final List<Row> touched = new ArrayList<>();

  /** For each enforced index, the places of its columns in the table. */
  private final Map<Integer, int[]> columns = new LinkedHashMap<>();

  private final Map<Integer, Integer> refused = new HashMap<>();

  ClaimPlan(TabletClaims.Indexes indexes, WriteSchema schema, RowOperations rows) {
    this.indexes = indexes;
    this.schema = schema;
    this.rows = rows;
    Schema table = schema.tabletSchema();
    for (int i = 0; i < indexes.encoders().size(); i++) {
      int[] places =
          indexes
              .encoders()
              .get(i)
              .map(one -> one.columnIds().stream().mapToInt(table::indexOfId).toArray())
              .orElse(new int[0]);
      if (places.length > 0) {
        columns.put(i, places);
      }
    }
    findTouched();
  }

  private void findTouched() {
    Schema table = schema.tabletSchema();
    RowOperationsReader reader = rows.reader();
    DefaultedCells cells = schema.withDefaults(reader);
    int[] key = IntStream.range(0, table.keyColumnCount()).toArray();
    RowKeyEncoder keys = RowKeyEncoder.ofPrimaryKey(table, key);
    KeyBuffer buffer = new KeyBuffer();
    while (reader.next()) {
      if (touches(reader)) {
        buffer.clear();
        keys.append(cells, buffer);
        touched.add(
            new Row(
                reader.rowIndex(),
                reader.type(),
                ByteString.copyFrom(buffer.array(), 0, buffer.length())));
      }
    }
  }

  private boolean touches(RowOperationsReader row) {
    return switch (row.type()) {
      case UPDATE, UPDATE_IGNORE ->
          columns.values().stream().anyMatch(some -> setCount(row, some) > 0);
      default -> true;
    };
  }

  private int setCount(RowOperationsReader row, int[] some) {
    int count = 0;
    for (int column : some) {
      int given = schema.messageIndexes()[column];
      count += given != NONE && row.isSet(given) ? 1 : 0;
    }
    return count;
  }

  /** The rows that may change a value. */
  List<Row> touched() {
    return touched;
  }

  /** Their keys. */
  Set<ByteString> keys() {
    Set<ByteString> keys = new HashSet<>();
    touched.forEach(row -> keys.add(row.key()));
    return keys;
  }

  /** The keys of rows that may have a value already. */
  Set<ByteString> keysToRead() {
    Set<ByteString> keys = new HashSet<>();
    touched.stream().filter(row -> !row.isInsert()).forEach(row -> keys.add(row.key()));
    return keys;
  }

  /** The rows of which a value is refused: the place of the index by the number of the row. */
  Map<Integer, Integer> refused() {
    return refused;
  }

  void refuse(Need need) {
    refused.putIfAbsent(need.row(), need.index());
  }

  /**
   * The values that rows need. A value that two rows of the request need is refused to the second.
   *
   * @param current the rows with {@link #keysToRead}, as they are
   * @throws KuduException INVALID_ARGUMENT if a value depends on an earlier row of the request, or
   *     is too long
   */
  List<Need> needs(Map<ByteString, RowsByKey.Row> current, Schema projection) {
    List<Need> needs = new ArrayList<>();
    Map<Map.Entry<Integer, ByteString>, ByteString> owners = new HashMap<>();
    Set<ByteString> before = new HashSet<>();
    RowOperationsReader reader = rows.reader();
    DefaultedCells defaulted = schema.withDefaults(reader);
    Map<Integer, Values> indexed = new LinkedHashMap<>();
    columns.forEach(
        (place, some) ->
            indexed.put(
                place, new Values(encoder(place).reader(projection), some, reader, defaulted)));
    int next = 0;
    while (next < touched.size() && reader.next()) {
      Row row = touched.get(next);
      if (row.number() != reader.rowIndex()) {
        continue;
      }
      next++;
      RowsByKey.Row now = before.contains(row.key()) ? null : current.get(row.key());
      for (Map.Entry<Integer, Values> index : indexed.entrySet()) {
        Values values = index.getValue();
        ByteString value = values.after(now, before.contains(row.key()));
        if (value == null || value.equals(values.earlier.of(now))) {
          continue;
        }
        values.encoder.checkLength(value);
        Need need = new Need(row.number(), index.getKey(), row.key(), value);
        ByteString other = owners.putIfAbsent(Map.entry(index.getKey(), value), row.key());
        if (other == null || other.equals(row.key())) {
          needs.add(need);
        } else {
          refuse(need);
        }
      }
      before.add(row.key());
    }
    return needs;
  }

  private ValueEncoder encoder(int place) {
    return indexes.encoders().get(place).orElseThrow();
  }

  /** The value of the current row in one index. */
  private final class Values {
    private final ValueEncoder encoder;
    private final ValueEncoder.ValueReader earlier;
    private final int[] places; // in the table
    private final RowOperationsReader row;
    private final DefaultedCells defaulted;

    Values(
        ValueEncoder.ValueReader earlier,
        int[] places,
        RowOperationsReader row,
        DefaultedCells defaulted) {
      this.encoder = earlier.encoder();
      this.earlier = earlier;
      this.places = places;
      this.row = row;
      this.defaulted = defaulted;
    }

    /**
     * After the operation, if it succeeds; null if it needs no claim.
     *
     * @param now the row before it; null if there is none
     * @param isChanged whether an earlier operation of the request may have changed the row
     */
    @Nullable ByteString after(RowsByKey.@Nullable Row now, boolean isChanged) {
      OperationType type = row.type();
      int set = setCount(row, places);
      if (!isChanged && now == null && !type.fillsDefaults()) {
        return null; // there is no row to change
      }
      switch (type) {
        case DELETE, DELETE_IGNORE -> {
          return null;
        }
        case INSERT, INSERT_IGNORE -> {
          return encoder.encode(defaulted, places);
        }
        default -> {
          if (set == places.length && !skipsCells(type)) {
            return encoder.encode(defaulted, places);
          }
        }
      }
      ByteString inserted = type.fillsDefaults() ? encoder.encode(defaulted, places) : null;
      if (set == 0 && inserted == null) {
        return null;
      }
      if (isChanged) {
        throw KuduException.invalidArgument(
            "Row %d: which value it will have in unique index %s depends on an earlier row of the"
                + " request with the same key; set all columns of the index, or send the rows one"
                + " after the other",
            row.rowIndex(), encoder.index().definition().name());
      }
      return now == null
          ? inserted
          : set == 0 ? null : encoder.encode(merged(now), earlier.columns());
    }

    /** Whether cells are set that an existing row keeps as they are. */
    private boolean skipsCells(OperationType type) {
      for (int place : places) {
        int given = schema.messageIndexes()[place];
        if (given != NONE && row.isSet(given) && isSkipped(type, place)) {
          return true;
        }
      }
      return false;
    }

    private boolean isSkipped(OperationType type, int place) {
      return (type == OperationType.UPDATE_IGNORE || type == OperationType.UPSERT_IGNORE)
          && schema.tabletSchema().column(place).isImmutable();
    }

    /** The row that was read, with the cells that are set. */
    @SuppressWarnings("NullAway") // NULL is null
    private RowCells merged(RowsByKey.Row now) {
      byte[][] cells = Arrays.copyOf(now.cells(), now.cells().length);
      for (int i = 0; i < places.length; i++) {
        int given = schema.messageIndexes()[places[i]];
        if (given != NONE && row.isSet(given) && !isSkipped(row.type(), places[i])) {
          cells[earlier.columns()[i]] = row.cell(given);
        }
      }
      return new ArrayCells(cells);
    }
  }

  /** The values that rows have, by key and place of the index. */
  Map<Map.Entry<ByteString, Integer>, ByteString> values(
      Collection<RowsByKey.Row> present, Schema projection) {
    Map<Map.Entry<ByteString, Integer>, ByteString> values = new HashMap<>();
    for (int place : columns.keySet()) {
      ValueEncoder.ValueReader reader = encoder(place).reader(projection);
      for (RowsByKey.Row row : present) {
        Optional.ofNullable(reader.of(row))
            .ifPresent(value -> values.put(Map.entry(row.key(), place), value));
      }
    }
    return values;
  }
}
