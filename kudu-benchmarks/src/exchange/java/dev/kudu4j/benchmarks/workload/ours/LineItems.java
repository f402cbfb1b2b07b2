package dev.kudu4j.benchmarks.workload.ours;

import static dev.kudu4j.Type.DOUBLE;
import static dev.kudu4j.Type.INT64;
import static dev.kudu4j.Type.STRING;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.util.Iterator;
import java.util.List;

/**
 * TPC-H's largest table as a Kudu table: 16 columns, keyed by order and line, hashed by order into
 * four tablets. Amounts are doubles and dates are strings, as in the Kudu paper's runs. Encodings
 * and compression are left to the server.
 */
final class LineItems {
  static final int TABLETS = 4;

  static final String ORDER_KEY = "l_orderkey";
  static final String LINE_NUMBER = "l_linenumber";

  /** The six columns of TPC-H query 1 that it computes with. */
  static final List<String> SCANNED_COLUMNS =
      List.of(
          "l_quantity", "l_extendedprice", "l_discount", "l_tax", "l_returnflag", "l_linestatus");

  /** Where {@code l_quantity} is among the scanned columns. */
  static final int SCANNED_QUANTITY = 0;

  private LineItems() {}

  static Schema schema() {
    return new Schema(
        List.of(
            key(ORDER_KEY),
            key(LINE_NUMBER),
            column("l_partkey", INT64),
            column("l_suppkey", INT64),
            column("l_quantity", DOUBLE),
            column("l_extendedprice", DOUBLE),
            column("l_discount", DOUBLE),
            column("l_tax", DOUBLE),
            column("l_returnflag", STRING),
            column("l_linestatus", STRING),
            column("l_shipdate", STRING),
            column("l_commitdate", STRING),
            column("l_receiptdate", STRING),
            column("l_shipinstruct", STRING),
            column("l_shipmode", STRING),
            column("l_comment", STRING)));
  }

  private static ColumnSchema key(String name) {
    return new ColumnSchema.ColumnSchemaBuilder(name, INT64).key(true).build();
  }

  private static ColumnSchema column(String name, Type type) {
    return new ColumnSchema.ColumnSchemaBuilder(name, type).nullable(false).build();
  }

  static CreateTableOptions partitioning(int tablets, int replicas) {
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(replicas);
    return tablets == 1
        ? options.setRangePartitionColumns(List.of())
        : options.addHashPartitions(List.of(ORDER_KEY), tablets);
  }

  /**
   * Rows of one of {@code parts} equal shares of the table.
   *
   * @param part from 1
   */
  static Iterator<LineItem> generate(double scale, int part, int parts) {
    return new LineItemGenerator(scale, part, parts).iterator();
  }

  static void fill(PartialRow row, LineItem item, long orderKey) {
    row.addLong(0, orderKey);
    row.addLong(1, item.getLineNumber());
    row.addLong(2, item.getPartKey());
    row.addLong(3, item.getSupplierKey());
    row.addDouble(4, (double) item.getQuantity());
    row.addDouble(5, item.getExtendedPrice());
    row.addDouble(6, item.getDiscount());
    row.addDouble(7, item.getTax());
    row.addString(8, item.getReturnFlag());
    row.addString(9, item.getStatus());
    row.addString(10, GenerateUtils.formatDate(item.getShipDate()));
    row.addString(11, GenerateUtils.formatDate(item.getCommitDate()));
    row.addString(12, GenerateUtils.formatDate(item.getReceiptDate()));
    row.addString(13, item.getShipInstructions());
    row.addString(14, item.getShipMode());
    row.addString(15, item.getComment());
  }
}
