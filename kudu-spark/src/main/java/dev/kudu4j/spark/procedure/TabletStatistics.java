package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code statistics(table)}: the rows of each tablet, which the servers count, and the bytes of
 * their columns in files. The last row, with tablet NULL, is the whole table; only it has the bytes
 * on disk of everything that the leaders store, as they last reported them to the master.
 */
final class TabletStatistics extends TableProcedure {
  private static final String COUNT = "rows";

  /** Large enough that servers do not divide tablets. */
  private static final long WHOLE_TABLETS = Long.MAX_VALUE / 2;

  TabletStatistics(Function<String, LoadedTable> tables) {
    super(tables);
  }

  @Override
  public String name() {
    return "statistics";
  }

  @Override
  public String description() {
    return "Counts the rows and bytes of the tablets of a table, and of the table";
  }

  @Override
  StructType resultColumns() {
    return new StructType()
        .add("tablet", DataTypes.StringType)
        .add(COUNT, DataTypes.LongType, false)
        .add("data_bytes", DataTypes.LongType, false)
        .add("disk_bytes", DataTypes.LongType);
  }

  @Override
  List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException {
    Map<String, Long> bytes = bytes(table);
    List<InternalRow> result = new ArrayList<>();
    long allRows = 0;
    for (KuduScanToken token : table.kuduTable().aggregate().count(COUNT).buildTokens(true)) {
      String tablet = TabletList.id(token.getTablet());
      long rows = count(token, table.connection().client());
      result.add(row(tablet, rows, bytes.getOrDefault(tablet, 0L), null));
      allRows += rows;
    }
    long allBytes = bytes.values().stream().mapToLong(Long::longValue).sum();
    long onDisk = table.kuduTable().getTableStatistics().getOnDiskSize();
    result.add(row(null, allRows, allBytes, onDisk));
    return result;
  }

  /** The bytes of all columns of each tablet. */
  private static Map<String, Long> bytes(LoadedTable table) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    table
        .connection()
        .client()
        .newScanTokenBuilder(table.kuduTable())
        .setSplitSizeBytes(WHOLE_TABLETS)
        .build()
        .forEach(
            piece ->
                bytes.merge(TabletList.id(piece.getTablet()), piece.getDataSizeBytes(), Long::sum));
    return bytes;
  }

  private static long count(KuduScanToken token, KuduClient client) throws KuduException {
    try {
      return KuduScanToken.deserializeIntoAggregate(token.serialize(), client)
          .execute()
          .next()
          .getLong(COUNT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
