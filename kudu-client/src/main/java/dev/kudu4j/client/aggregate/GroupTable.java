package dev.kudu4j.client.aggregate;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregate.Function;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.FloatingCells;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.sketch.DistinctSketch;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges the parts of groups that servers return, or adds rows to groups: a hash table with open
 * addressing. Not thread-safe.
 */
public final class GroupTable {
  private final Aggregation aggregation;
  private final Schema columns;
  private final CellLayout layout;
  private Group[] slots = new Group[64]; // a power of two
  private int count;

  /**
   * @param aggregation without AVG
   */
  public GroupTable(Aggregation aggregation) {
    this.aggregation = aggregation;
    this.columns = aggregation.resultColumns();
    this.layout = new CellLayout(columns);
    if (aggregation.groupBy().isEmpty()) {
      group(new byte[0][]); // there is always one group
    }
  }

  /** All groups, in any order. */
  public List<Group> groups() {
    List<Group> groups = new ArrayList<>(count);
    for (Group group : slots) {
      if (group != null) {
        groups.add(group);
      }
    }
    return groups;
  }

  /** The group with the cells, which is added if absent. */
  private Group group(byte[][] cells) {
    byte[] key = Group.keyOf(cells);
    int hash = Group.hash(key);
    int slot = find(key, hash);
    return slots[slot] == null ? add(slot, new Group(key, hash, initial())) : slots[slot];
  }

  /** The slot of the key, which is empty if there is no such group. */
  private int find(byte[] key, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != null && !slots[slot].has(key, hash)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private Group add(int slot, Group group) {
    slots[slot] = group;
    if (++count > slots.length / 2) {
      Group[] before = slots;
      slots = new Group[2 * before.length];
      for (Group known : before) {
        if (known != null) {
          slots[find(known.key(), known.hash())] = known;
        }
      }
    }
    return group;
  }

  private Object[] initial() {
    Object[] values = new Object[aggregation.aggregates().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = function(i) == Function.COUNT ? (Object) 0L : null;
    }
    return values;
  }

  private Function function(int index) {
    return aggregation.aggregates().get(index).function();
  }

  /** Adds groups, in columns of {@link Aggregation#resultColumns}. */
  public void addGroups(RowBatch batch) {
    int keys = aggregation.groupBy().size();
    for (int row = 0; row < batch.count(); row++) {
      byte[][] key = new byte[keys][];
      for (int i = 0; i < keys; i++) {
        key[i] = batch.cell(layout, i, row);
      }
      Group group = group(key);
      for (int i = 0; i < aggregation.aggregates().size(); i++) {
        byte[] cell = batch.cell(layout, keys + i, row);
        if (cell != null) {
          merge(group, i, value(i, columns.column(keys + i), cell));
        }
      }
    }
  }

  private Object value(int index, ColumnSchema column, byte[] cell) {
    Aggregate aggregate = aggregation.aggregates().get(index);
    if (aggregate.function() == Function.COUNT) {
      return LittleEndian.getLong(cell, 0);
    }
    if (isSketch(aggregate)) {
      return DistinctSketch.of(cell);
    }
    return isCell(aggregate) ? cell : RowEvaluator.number(column, cell);
  }

  private static boolean isSketch(Aggregate aggregate) {
    return aggregate.function() == Function.DISTINCT_SKETCH;
  }

  private static boolean isCell(Aggregate aggregate) {
    return aggregate.function() != Function.SUM && aggregate.column() != null;
  }

  /** Adds all groups of another table of the same aggregation, which is not used afterwards. */
  public void addGroups(GroupTable other) {
    for (Group from : other.groups()) {
      int slot = find(from.key(), from.hash());
      Group group = slots[slot];
      if (group == null) {
        add(slot, from);
        continue;
      }
      for (int i = 0; i < aggregation.aggregates().size(); i++) {
        merge(group, i, from);
      }
    }
  }

  /** The group that has the first grouping columns of a group of another table. */
  Group groupOf(Group finer) {
    byte[][] cells = new byte[aggregation.groupBy().size()][];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = finer.cell(i);
    }
    return group(cells);
  }

  /** Merges an aggregate of another group into a group of this table. */
  void merge(Group group, int aggregate, Group from) {
    if (from.value(aggregate) != null) {
      merge(group, aggregate, from.value(aggregate));
    }
  }

  /** Adds a row to its group. */
  void addRow(RowEvaluator.Row row) {
    byte[][] key = new byte[aggregation.groupBy().size()][];
    for (int i = 0; i < key.length; i++) {
      ColumnSchema column = aggregation.groupBy().get(i);
      byte[] cell = row.cell(column);
      key[i] =
          cell != null && column.type().isFloating()
              ? FloatingCells.canonical(column.type(), cell)
              : cell;
    }
    Group group = group(key);
    for (int i = 0; i < aggregation.aggregates().size(); i++) {
      Aggregate aggregate = aggregation.aggregates().get(i);
      boolean kept = aggregate.filter() == null || RowEvaluator.matches(aggregate.filter(), row);
      if (kept && isSketch(aggregate)) {
        addToSketch(group, i, row);
        continue;
      }
      Object value = kept ? value(aggregate, row) : null;
      if (value != null) {
        merge(group, i, value);
      }
    }
  }

  private void addToSketch(Group group, int index, RowEvaluator.Row row) {
    ColumnSchema column = aggregation.aggregates().get(index).column();
    byte[] cell = row.cell(column);
    if (cell != null) {
      if (group.value(index) == null) {
        group.set(index, new DistinctSketch());
      }
      ((DistinctSketch) group.value(index)).add(column.type(), cell);
    }
  }

  /** The aggregate of a single row; null for NULL. */
  private static Object value(Aggregate aggregate, RowEvaluator.Row row) {
    if (aggregate.function() == Function.COUNT) {
      return isPresent(aggregate, row) ? (Object) 1L : null;
    }
    return isCell(aggregate)
        ? row.cell(aggregate.column())
        : RowEvaluator.evaluate(aggregate.argument(), row);
  }

  private static boolean isPresent(Aggregate aggregate, RowEvaluator.Row row) {
    if (aggregate.argument() == null) {
      return true;
    }
    return aggregate.column() == null
        ? RowEvaluator.evaluate(aggregate.argument(), row) != null
        : row.cell(aggregate.column()) != null;
  }

  private void merge(Group group, int index, Object value) {
    Object before = group.value(index);
    if (before == null) {
      group.set(index, value);
      return;
    }
    Function function = function(index);
    if (function == Function.COUNT) {
      group.set(index, (Long) before + (Long) value);
    } else if (function == Function.DISTINCT_SKETCH) {
      ((DistinctSketch) before).merge((DistinctSketch) value);
    } else if (function == Function.SUM) {
      group.set(
          index,
          before instanceof BigDecimal exact
              ? exact.add((BigDecimal) value)
              : (Object) ((Double) before + (Double) value));
    } else {
      int order = compare(index, value, before);
      boolean better = function == Function.MIN ? order < 0 : order > 0;
      group.set(index, better ? value : before);
    }
  }

  /** Compares extremes; NaN is above all other numbers. */
  private int compare(int index, Object a, Object b) {
    if (a instanceof byte[] cell) {
      ColumnSchema column = aggregation.aggregates().get(index).column();
      return CellOrder.compare(column.type(), cell, (byte[]) b);
    }
    return a instanceof BigDecimal exact
        ? exact.compareTo((BigDecimal) b)
        : Double.compare((Double) a, (Double) b);
  }
}
