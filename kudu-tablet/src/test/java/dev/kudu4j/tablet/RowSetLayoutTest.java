package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.maintenance.RowSetLayout;
import dev.kudu4j.tablet.maintenance.RowSetLayout.Place;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RowSetLayoutTest {
  private static final Schema SCHEMA =
      new Schema(List.of(ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build()));

  private TabletHarness harness;

  @BeforeEach
  void makeTablet() throws IOException {
    harness = new TabletHarness(SCHEMA, TabletOptions.DEFAULT);
  }

  @AfterEach
  void closeTablet() {
    harness.close();
  }

  private void write(OperationType type, int key) {
    RowOp op = TabletTest.op(type, 0, key);
    harness.write(List.of(RowOp.request(null, 0, 1, SCHEMA, List.of(op))));
  }

  /** A rowset of ten rows. */
  private void flushed(int first, int step) throws IOException {
    for (int i = 0; i < 10; i++) {
      write(OperationType.INSERT, first + i * step);
    }
    harness.tablet().flush();
  }

  private RowSetLayout layout() {
    return harness.tablet().maintenance().layout();
  }

  @Test
  void aTabletWithoutRowSetsHasNoLayout() {
    write(OperationType.INSERT, 1);
    assertThat(layout().rowSets()).isEmpty();
    assertThat(layout().averageHeight()).isZero();
  }

  @Test
  void rowSetsAreLaidOutByTheirKeys() throws IOException {
    flushed(0, 2);
    flushed(1_000, 1);
    flushed(5, 110); // 5 to 995: it overlaps the first one only
    write(OperationType.DELETE, 1_003);
    harness.tablet().flush();
    RowSetLayout layout = layout();
    assertThat(layout.rowSets()).extracting(Place::id).containsExactly(1L, 3L, 2L);
    Place first = layout.rowSets().get(0);
    Place across = layout.rowSets().get(1);
    Place last = layout.rowSets().get(2);
    assertThat(first.lower()).isZero();
    assertThat(across.lower()).isBetween(first.lower(), first.upper());
    assertThat(across.upper()).isCloseTo(last.lower(), within(1e-9));
    assertThat(last.upper()).isCloseTo(1, within(1e-9));
    assertThat(layout.averageHeight())
        .isGreaterThan(1)
        .isCloseTo(first.width() + across.width() + last.width(), within(1e-9))
        .isEqualTo(harness.tablet().statistics().averageHeight());
    assertThat(layout.rowSets())
        .extracting(Place::rows, Place::deletedRows, Place::redoFiles)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(10L, 0L, 0),
            org.assertj.core.groups.Tuple.tuple(10L, 0L, 0),
            org.assertj.core.groups.Tuple.tuple(9L, 1L, 1));
    assertThat(layout.rowSets()).allSatisfy(rowSet -> assertThat(rowSet.bytes()).isPositive());
  }
}
