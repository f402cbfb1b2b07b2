package dev.kudu4j.tools.demo;

import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import io.trino.tpch.LineItem;
import java.math.BigDecimal;
import java.util.List;

/** TPC-H's {@code lineitem}, keyed by order and line, hashed by order. Not thread-safe. */
final class LineItemTable implements TpchTable<LineItem> {
  static final String NAME = "lineitem";
  static final String ORDER_KEY = "l_orderkey";
  static final String LINE_NUMBER = "l_linenumber";
  static final String QUANTITY = "l_quantity";
  static final String PRICE = "l_extendedprice";
  static final String DISCOUNT = "l_discount";
  static final String TAX = "l_tax";
  static final String RETURN_FLAG = "l_returnflag";
  static final String LINE_STATUS = "l_linestatus";
  static final String SHIP_DATE = "l_shipdate";
  static final String SHIP_MODE = "l_shipmode";

  private static final int TABLETS = 4;

  private final TpchDates dates = new TpchDates();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Schema schema() {
    return new Schema(
        List.of(
            TpchTable.key(ORDER_KEY, Type.INT64),
            TpchTable.key(LINE_NUMBER, Type.INT32),
            TpchTable.column("l_partkey", Type.INT64),
            TpchTable.column("l_suppkey", Type.INT64),
            TpchTable.amount(QUANTITY),
            TpchTable.amount(PRICE),
            TpchTable.amount(DISCOUNT),
            TpchTable.amount(TAX),
            TpchTable.column(RETURN_FLAG, Type.STRING),
            TpchTable.column(LINE_STATUS, Type.STRING),
            TpchTable.column(SHIP_DATE, Type.DATE),
            TpchTable.column("l_commitdate", Type.DATE),
            TpchTable.column("l_receiptdate", Type.DATE),
            TpchTable.column("l_shipinstruct", Type.STRING),
            TpchTable.column(SHIP_MODE, Type.STRING),
            TpchTable.column("l_comment", Type.STRING)));
  }

  @Override
  public CreateTableOptions options() {
    return TpchTable.hashed(ORDER_KEY, TABLETS);
  }

  @Override
  public void fill(PartialRow row, LineItem line) {
    row.addLong(0, line.getOrderKey());
    row.addInt(1, line.getLineNumber());
    row.addLong(2, line.getPartKey());
    row.addLong(3, line.getSupplierKey());
    row.addDecimal(4, BigDecimal.valueOf(quantity(line), CENTS));
    row.addDecimal(5, BigDecimal.valueOf(line.getExtendedPriceInCents(), CENTS));
    row.addDecimal(6, BigDecimal.valueOf(line.getDiscountPercent(), CENTS));
    row.addDecimal(7, BigDecimal.valueOf(line.getTaxPercent(), CENTS));
    row.addString(8, line.getReturnFlag());
    row.addString(9, line.getStatus());
    row.addDate(10, dates.of(line.getShipDate()));
    row.addDate(11, dates.of(line.getCommitDate()));
    row.addDate(12, dates.of(line.getReceiptDate()));
    row.addString(13, line.getShipInstructions());
    row.addString(14, line.getShipMode());
    row.addString(15, line.getComment());
  }

  /** The quantity in hundredths, as in the column. */
  static long quantity(LineItem line) {
    return line.getQuantity() * 100;
  }
}
