package dev.kudu4j.benchmarks.baseline;

import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import io.trino.tpch.LineItem;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBAppender;

/**
 * TPC-H's {@code lineitem} for both engines, keyed by order and line, without NULL. The id of a
 * column is its position.
 */
public final class LineItemTable {
  public static final int ORDER_KEY = 0;
  public static final int LINE_NUMBER = 1;
  public static final int QUANTITY = 4;
  public static final int PRICE = 5;
  public static final int DISCOUNT = 6;
  public static final int TAX = 7;
  public static final int RETURN_FLAG = 8;
  public static final int LINE_STATUS = 9;
  public static final int SHIP_DATE = 10;

  private static final int PRECISION = 15;
  private static final int SCALE = 2;

  private final Amounts amounts;
  private final Schema schema;

  public LineItemTable(Amounts amounts) {
    this.amounts = amounts;
    this.schema = makeSchema(amounts);
  }

  private static Schema makeSchema(Amounts amounts) {
    List<ColumnSchema.Builder> columns =
        List.of(
            ColumnSchema.builder("l_orderkey", DataType.INT64).key(true),
            ColumnSchema.builder("l_linenumber", DataType.INT32).key(true),
            ColumnSchema.builder("l_partkey", DataType.INT64),
            ColumnSchema.builder("l_suppkey", DataType.INT64),
            amount("l_quantity", amounts),
            amount("l_extendedprice", amounts),
            amount("l_discount", amounts),
            amount("l_tax", amounts),
            ColumnSchema.builder("l_returnflag", DataType.STRING),
            ColumnSchema.builder("l_linestatus", DataType.STRING),
            ColumnSchema.builder("l_shipdate", DataType.DATE),
            ColumnSchema.builder("l_commitdate", DataType.DATE),
            ColumnSchema.builder("l_receiptdate", DataType.DATE),
            ColumnSchema.builder("l_shipinstruct", DataType.STRING),
            ColumnSchema.builder("l_shipmode", DataType.STRING),
            ColumnSchema.builder("l_comment", DataType.STRING));
    List<ColumnSchema> withIds = new ArrayList<>();
    for (ColumnSchema.Builder column : columns) {
      withIds.add(column.id(withIds.size()).build());
    }
    return new Schema(withIds);
  }

  private static ColumnSchema.Builder amount(String name, Amounts amounts) {
    return amounts == Amounts.DOUBLE
        ? ColumnSchema.builder(name, DataType.DOUBLE)
        : ColumnSchema.builder(name, DataType.DECIMAL64).decimal(PRECISION, SCALE);
  }

  public Amounts amounts() {
    return amounts;
  }

  public Schema schema() {
    return schema;
  }

  /** Selected columns, in the given order. */
  public Schema columns(int... ids) {
    List<ColumnSchema> columns = new ArrayList<>();
    for (int id : ids) {
      columns.add(schema.column(id));
    }
    return new Schema(columns);
  }

  /** The statement that creates DuckDB's table. */
  public String duckDbTable() {
    StringBuilder columns = new StringBuilder();
    for (ColumnSchema column : schema.columns()) {
      String type =
          switch (column.type()) {
            case INT32 -> "INTEGER";
            case INT64 -> "BIGINT";
            case DECIMAL64 -> "DECIMAL(" + PRECISION + ", " + SCALE + ")";
            case STRING -> "VARCHAR";
            default -> column.type().name();
          };
      columns.append(columns.isEmpty() ? "" : ", ").append(column.name()).append(' ').append(type);
    }
    return "CREATE TABLE lineitem (" + columns + ")";
  }

  public void fill(RowOperationsWriter row, LineItem line) {
    row.setLong(ORDER_KEY, line.getOrderKey());
    row.setInt(LINE_NUMBER, line.getLineNumber());
    row.setLong(2, line.getPartKey());
    row.setLong(3, line.getSupplierKey());
    fillAmount(row, QUANTITY, line.getQuantity() * 100);
    fillAmount(row, PRICE, line.getExtendedPriceInCents());
    fillAmount(row, DISCOUNT, line.getDiscountPercent());
    fillAmount(row, TAX, line.getTaxPercent());
    row.setString(RETURN_FLAG, line.getReturnFlag());
    row.setString(LINE_STATUS, line.getStatus());
    row.setInt(SHIP_DATE, line.getShipDate());
    row.setInt(11, line.getCommitDate());
    row.setInt(12, line.getReceiptDate());
    row.setString(13, line.getShipInstructions());
    row.setString(14, line.getShipMode());
    row.setString(15, line.getComment());
  }

  public void fillAmount(RowOperationsWriter row, int column, long hundredths) {
    if (amounts == Amounts.DOUBLE) {
      row.setDouble(column, hundredths / 100.0);
    } else {
      row.setLong(column, hundredths);
    }
  }

  public void append(DuckDBAppender row, LineItem line) throws SQLException {
    row.beginRow();
    row.append(line.getOrderKey());
    row.append(line.getLineNumber());
    row.append(line.getPartKey());
    row.append(line.getSupplierKey());
    appendAmount(row, line.getQuantity() * 100);
    appendAmount(row, line.getExtendedPriceInCents());
    appendAmount(row, line.getDiscountPercent());
    appendAmount(row, line.getTaxPercent());
    row.append(line.getReturnFlag());
    row.append(line.getStatus());
    row.appendEpochDays(line.getShipDate());
    row.appendEpochDays(line.getCommitDate());
    row.appendEpochDays(line.getReceiptDate());
    row.append(line.getShipInstructions());
    row.append(line.getShipMode());
    row.append(line.getComment());
    row.endRow();
  }

  private void appendAmount(DuckDBAppender row, long hundredths) throws SQLException {
    if (amounts == Amounts.DOUBLE) {
      row.append(hundredths / 100.0);
    } else {
      row.appendDecimal(hundredths);
    }
  }
}
