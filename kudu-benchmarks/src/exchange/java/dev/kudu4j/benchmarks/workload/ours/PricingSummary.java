package dev.kudu4j.benchmarks.workload.ours;

import dev.kudu4j.client.RowResult;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** TPC-H query 1, aggregated by the program, of rows of {@link LineItems#SCANNED_COLUMNS}. */
final class PricingSummary {
  private static final int QUANTITY = 0;
  private static final int PRICE = 1;
  private static final int DISCOUNT = 2;
  private static final int TAX = 3;
  private static final int RETURN_FLAG = 4;
  private static final int LINE_STATUS = 5;

  private record Key(String returnFlag, String lineStatus) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int flags = returnFlag.compareTo(other.returnFlag);
      return flags != 0 ? flags : lineStatus.compareTo(other.lineStatus);
    }
  }

  private static final class Sums {
    private BigDecimal quantity = BigDecimal.ZERO;
    private BigDecimal price = BigDecimal.ZERO;
    private BigDecimal discounted = BigDecimal.ZERO;
    private BigDecimal charged = BigDecimal.ZERO;
    private BigDecimal discount = BigDecimal.ZERO;
    private long rows;

    void add(RowResult row) {
      BigDecimal rowPrice = row.getDecimal(PRICE);
      BigDecimal rowDiscount = row.getDecimal(DISCOUNT);
      BigDecimal rowDiscounted = rowPrice.multiply(BigDecimal.ONE.subtract(rowDiscount));
      quantity = quantity.add(row.getDecimal(QUANTITY));
      price = price.add(rowPrice);
      discounted = discounted.add(rowDiscounted);
      charged = charged.add(rowDiscounted.multiply(BigDecimal.ONE.add(row.getDecimal(TAX))));
      discount = discount.add(rowDiscount);
      rows++;
    }

    private String average(BigDecimal sum) {
      return sum.divide(BigDecimal.valueOf(rows), MathContext.DECIMAL64).toPlainString();
    }
  }

  private final Map<Key, Sums> groups = new TreeMap<>();

  void add(RowResult row) {
    Key key = new Key(row.getString(RETURN_FLAG), row.getString(LINE_STATUS));
    groups.computeIfAbsent(key, k -> new Sums()).add(row);
  }

  /** The groups in order, each cell as text. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    groups.forEach(
        (key, sums) ->
            rows.add(
                List.of(
                    key.returnFlag,
                    key.lineStatus,
                    sums.quantity.toPlainString(),
                    sums.price.toPlainString(),
                    sums.discounted.toPlainString(),
                    sums.charged.toPlainString(),
                    sums.average(sums.quantity),
                    sums.average(sums.price),
                    sums.average(sums.discount),
                    Long.toString(sums.rows))));
    return rows;
  }
}
