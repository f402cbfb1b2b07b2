package dev.kudu4j.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.Selection;
import java.sql.Date;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderQueriesTest {
  private static final Orders ORDERS = new Orders(0.02);

  @Test
  void queriesSelectTheirShareOfTheOrders() {
    OrderQueries queries = new OrderQueries(ORDERS);
    assertThat(queries.all()).hasSize(16);
    for (int number = 1; number <= 4; number++) {
      assertThat(share(queries.of(number, 10).variants().get(0)))
          .as("Q%d", number)
          .isCloseTo(0.1, within(0.02));
    }
    assertThat(queries.of(2, 1).variants()).allMatch(Selection::isOr);
  }

  private static double share(Selection selection) {
    long selected = 0;
    long all = 0;
    for (Iterator<Object[]> rows = ORDERS.rows(1, 1); rows.hasNext(); all++) {
      selected += matches(selection, rows.next()) ? 1 : 0;
    }
    assertThat(all).isEqualTo(ORDERS.rowCount());
    return (double) selected / all;
  }

  private static boolean matches(Selection selection, Object[] row) {
    List<Range> ranges = selection.ranges();
    return selection.isOr()
        ? ranges.stream().anyMatch(range -> contains(range, row))
        : ranges.stream().allMatch(range -> contains(range, row));
  }

  private static boolean contains(Range range, Object[] row) {
    Object cell = row[ORDERS.columnNames().indexOf(range.column())];
    long number =
        cell instanceof Date date ? date.toLocalDate().toEpochDay() : ((Number) cell).longValue();
    return number >= range.lowerNumber() && number <= range.upperNumber();
  }
}
