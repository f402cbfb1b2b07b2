package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsRequestPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.TableFinder;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.Map;
import java.util.TreeMap;

/**
 * The statistics of columns that a table's record contains: those that a client computed last, for
 * query optimizers. The master checks them but does not use them.
 *
 * <p>They are part of the record, so they are replicated with it, survive alterations and are
 * dropped with the table. Their size is bounded: there is at most one for each column, whose cells
 * have at most 16 bytes.
 */
final class ColumnStatistics {
  private ColumnStatistics() {}

  /**
   * Records statistics of columns. Those of other columns stay. Columns that the table does not
   * have are ignored: they may have been dropped during the analysis.
   */
  static TableChange set(Catalog catalog, SetColumnStatisticsRequestPB request) {
    return catalog.change(
        edit -> set(edit, TableFinder.find(catalog, request.getTable()), request));
  }

  private static TableChange set(
      CatalogEdit edit, TableInfo table, SetColumnStatisticsRequestPB request) {
    TableAlterer.checkAlterable(table);
    Schema schema = SchemaWire.fromWire(table.entry().getSchema());
    Map<Integer, ColumnStatisticsPB> all = new TreeMap<>();
    table.entry().getColumnStatisticsList().forEach(known -> all.put(known.getColumnId(), known));
    int set = 0;
    for (ColumnStatisticsPB column : request.getColumnsList()) {
      int index = schema.indexOfId(column.getColumnId());
      if (index >= 0) {
        all.put(column.getColumnId(), checked(column, schema.column(index)));
        set++;
      }
    }
    TableEntryPB entry =
        table.entry().toBuilder()
            .clearColumnStatistics()
            .addAllColumnStatistics(all.values())
            .build();
    if (entry.equals(table.entry())) {
      return TableChange.none(table.id());
    }
    edit.putTable(table.id(), entry);
    return TableChange.of(table.id(), "Statistics of %d columns of table %s set", set, table);
  }

  /** The statistics without fields that this version does not know, which have no bound. */
  private static ColumnStatisticsPB checked(ColumnStatisticsPB statistics, ColumnSchema column) {
    long rows = statistics.getRowCount();
    boolean counted =
        statistics.getNullCount() >= 0
            && statistics.getNullCount() <= rows
            && statistics.getDistinctCount() >= 0
            && statistics.getAnalyzedMicros() >= 0
            && statistics.getAverageLength() >= 0
            && statistics.getMaxLength() >= 0;
    if (!counted) {
      throw KuduException.invalidArgument(
          "Statistics of column %s are invalid: row_count %d, null_count %d, distinct_count %d; no"
              + " number may be negative, and null_count not above row_count",
          column.name(), rows, statistics.getNullCount(), statistics.getDistinctCount());
    }
    checkCell("min", statistics.getMin(), column);
    checkCell("max", statistics.getMax(), column);
    return statistics.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance()).build();
  }

  private static void checkCell(String name, ByteString cell, ColumnSchema column) {
    int bytes = column.type().isVariableLength() ? 0 : column.type().width();
    if (!cell.isEmpty() && cell.size() != bytes) {
      throw KuduException.invalidArgument(
          "Statistics of column %s have a %s of %d bytes; a column of type %s has %s",
          column.name(),
          name,
          cell.size(),
          column.typeText(),
          bytes == 0 ? "no extremes" : bytes + " bytes");
    }
  }

  /** Removes the statistics of columns that the schema no longer has. */
  static void forgetDropped(TableEntryPB.Builder entry) {
    if (entry.getColumnStatisticsCount() > 0) {
      Schema schema = SchemaWire.fromWire(entry.getSchema());
      var kept =
          entry.getColumnStatisticsList().stream()
              .filter(known -> schema.indexOfId(known.getColumnId()) >= 0)
              .toList();
      entry.clearColumnStatistics().addAllColumnStatistics(kept);
    }
  }
}
