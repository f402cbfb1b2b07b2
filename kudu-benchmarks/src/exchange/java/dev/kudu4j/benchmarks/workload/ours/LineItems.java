package dev.kudu4j.benchmarks.workload.ours;

import static dev.kudu4j.Type.DATE;
import static dev.kudu4j.Type.DECIMAL;
import static dev.kudu4j.Type.DOUBLE;
import static dev.kudu4j.Type.INT32;
import static dev.kudu4j.Type.INT64;
import static dev.kudu4j.Type.STRING;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.workload.Compression;
import dev.kudu4j.benchmarks.workload.Reading;
import dev.kudu4j.benchmarks.workload.Types;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItem;
import java.math.BigDecimal;
import java.sql.Date;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * TPC-H's largest table as a Kudu table: 16 columns, keyed by order and line, hashed by order into
 * four tablets. Encodings are the server's default.
 */
final class LineItems {
  static final int TABLETS = 4;

  static final String ORDER_KEY = "l_orderkey";
  static final String LINE_NUMBER = "l_linenumber";

  /** The six columns that TPC-H query 1 computes with. */
  static final List<String> SCANNED_COLUMNS =
      List.of(
          "l_quantity", "l_extendedprice", "l_discount", "l_tax", "l_returnflag", "l_linestatus");

  /**
   * Position of {@code l_quantity} in {@link #SCANNED_COLUMNS}; {@link #QUANTITY} is its position
   * in the table.
   */
  private static final int SCANNED_QUANTITY = 0;

  private static final int QUANTITY = 4;

  private static final int FIRST_DOUBLE = 4;
  private static final int FIRST_TEXT = 8;
  private static final int COLUMNS = 16;

  private static final int PRECISION = 15;
  private static final int SCALE = 2;

  private LineItems() {}

  static Schema schema(Types types, Compression compression) {
    boolean exact = types == Types.EXACT;
    Columns columns = new Columns(compression);
    columns.key(ORDER_KEY, INT64);
    columns.key(LINE_NUMBER, exact ? INT32 : INT64);
    columns.add("l_partkey", INT64);
    columns.add("l_suppkey", INT64);
    for (String amount : List.of("l_quantity", "l_extendedprice", "l_discount", "l_tax")) {
      columns.add(amount, exact ? DECIMAL : DOUBLE);
    }
    columns.add("l_returnflag", STRING);
    columns.add("l_linestatus", STRING);
    for (String date : List.of("l_shipdate", "l_commitdate", "l_receiptdate")) {
      columns.add(date, exact ? DATE : STRING);
    }
    columns.add("l_shipinstruct", STRING);
    columns.add("l_shipmode", STRING);
    columns.add("l_comment", STRING);
    return new Schema(columns.list);
  }

  /** Columns of a schema, in order. */
  private static final class Columns {
    private final List<ColumnSchema> list = new ArrayList<>();
    private final Compression compression;

    Columns(Compression compression) {
      this.compression = compression;
    }

    void key(String name, Type type) {
      add(new ColumnSchema.ColumnSchemaBuilder(name, type).key(true));
    }

    void add(String name, Type type) {
      ColumnSchema.ColumnSchemaBuilder column =
          new ColumnSchema.ColumnSchemaBuilder(name, type).nullable(false);
      if (type == DECIMAL) {
        column.typeAttributes(
            new ColumnTypeAttributes.ColumnTypeAttributesBuilder()
                .precision(PRECISION)
                .scale(SCALE)
                .build());
      }
      add(column);
    }

    private void add(ColumnSchema.ColumnSchemaBuilder column) {
      if (compression == Compression.LZ4) {
        column.compressionAlgorithm(ColumnSchema.CompressionAlgorithm.LZ4);
      }
      list.add(column.build());
    }
  }

  static CreateTableOptions partitioning(int tablets, int replicas) {
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(replicas);
    return tablets == 1
        ? options.setRangePartitionColumns(List.of())
        : options.addHashPartitions(List.of(ORDER_KEY), tablets);
  }

  static void fill(PartialRow row, Types types, LineItem item, long orderKey) {
    row.addLong(0, orderKey);
    row.addLong(2, item.getPartKey());
    row.addLong(3, item.getSupplierKey());
    if (types == Types.EXACT) {
      fillExact(row, item);
    } else {
      fillSimple(row, item);
    }
    row.addString(8, item.getReturnFlag());
    row.addString(9, item.getStatus());
    row.addString(13, item.getShipInstructions());
    row.addString(14, item.getShipMode());
    row.addString(15, item.getComment());
  }

  private static void fillSimple(PartialRow row, LineItem item) {
    row.addLong(1, item.getLineNumber());
    row.addDouble(4, (double) item.getQuantity());
    row.addDouble(5, item.getExtendedPrice());
    row.addDouble(6, item.getDiscount());
    row.addDouble(7, item.getTax());
    row.addString(10, GenerateUtils.formatDate(item.getShipDate()));
    row.addString(11, GenerateUtils.formatDate(item.getCommitDate()));
    row.addString(12, GenerateUtils.formatDate(item.getReceiptDate()));
  }

  private static void fillExact(PartialRow row, LineItem item) {
    row.addInt(1, item.getLineNumber());
    row.addDecimal(4, BigDecimal.valueOf(item.getQuantity() * 100L, SCALE));
    row.addDecimal(5, BigDecimal.valueOf(item.getExtendedPriceInCents(), SCALE));
    row.addDecimal(6, BigDecimal.valueOf(item.getDiscountPercent(), SCALE));
    row.addDecimal(7, BigDecimal.valueOf(item.getTaxPercent(), SCALE));
    row.addDate(10, date(item.getShipDate()));
    row.addDate(11, date(item.getCommitDate()));
    row.addDate(12, date(item.getReceiptDate()));
  }

  private static Date date(int epochDay) {
    return Date.valueOf(LocalDate.ofEpochDay(epochDay));
  }

  /** The quantity in a row. */
  static double quantity(RowResult row, Types types, Reading reading) {
    int column = reading == Reading.SIX_COLUMNS ? SCANNED_QUANTITY : QUANTITY;
    return types == Types.EXACT ? row.getDecimal(column).doubleValue() : row.getDouble(column);
  }

  /**
   * Reads every cell of a row of {@link Types#SIMPLE}; returns the sum of its numbers and of the
   * lengths of its strings.
   */
  static double everyCell(RowResult row) {
    double sum = 0;
    for (int column = 0; column < FIRST_DOUBLE; column++) {
      sum += row.getLong(column);
    }
    for (int column = FIRST_DOUBLE; column < FIRST_TEXT; column++) {
      sum += row.getDouble(column);
    }
    for (int column = FIRST_TEXT; column < COLUMNS; column++) {
      sum += row.getString(column).length();
    }
    return sum;
  }
}
