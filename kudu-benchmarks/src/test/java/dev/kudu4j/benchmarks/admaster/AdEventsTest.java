package dev.kudu4j.benchmarks.admaster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.benchmarks.selection.CellType;
import dev.kudu4j.benchmarks.selection.TableColumn;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdEventsTest {
  private static final AdEvents EVENTS = new AdEvents(2_000);

  @Test
  void eventsHaveTheColumnsAndTheSizeOfThePaper() {
    assertThat(EVENTS.columns()).hasSizeGreaterThan(50);
    long bytes = 0;
    for (Iterator<Object[]> rows = EVENTS.rows(1, 1); rows.hasNext(); ) {
      bytes += bytes(rows.next());
    }
    assertThat(bytes / EVENTS.rowCount()).isBetween(500L, 550L);
  }

  private static long bytes(Object[] row) {
    long bytes = 0;
    List<TableColumn> columns = EVENTS.columns();
    assertThat(row).hasSameSizeAs(columns.toArray());
    for (int i = 0; i < row.length; i++) {
      CellType type = columns.get(i).type();
      bytes +=
          switch (type) {
            case INT32, DATE -> Integer.BYTES;
            case INT64, DOUBLE, DECIMAL -> Long.BYTES;
            case STRING -> ((String) row[i]).length();
          };
    }
    return bytes;
  }

  @Test
  void sharesHaveTheRowsOfTheWhole() {
    List<List<Object>> parts = new ArrayList<>();
    for (int part = 1; part <= 3; part++) {
      EVENTS.rows(part, 3).forEachRemaining(row -> parts.add(List.of(row)));
    }
    List<List<Object>> whole = new ArrayList<>();
    EVENTS.rows(1, 1).forEachRemaining(row -> whole.add(List.of(row)));
    assertThat(parts).isEqualTo(whole);
  }
}
