package dev.kudu4j.common.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusedOperationTest {
  private static final RowLayout LAYOUT =
      RowLayout.of(
          new Schema(
              List.of(
                  ColumnSchema.builder("k", DataType.INT32).key(true).build(),
                  ColumnSchema.builder("v", DataType.STRING).nullable(true).build())));

  @Test
  void onlyTheTypesOfRefusedRowsChange() {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    List<OperationType> types =
        List.of(
            OperationType.INSERT,
            OperationType.INSERT_IGNORE,
            OperationType.UPDATE_IGNORE,
            OperationType.UPSERT_IGNORE,
            OperationType.UPSERT);
    for (int i = 0; i < types.size(); i++) {
      writer.begin(types.get(i)).setInt(0, i).setString(1, "value " + i).end();
    }
    RowOperations rows = writer.copy();
    RowOperations marked = RefusedOperation.mark(rows, Map.of(0, 15, 1, 0, 2, 1, 3, 2));
    assertThat(marked.rowsLength()).isEqualTo(rows.rowsLength());
    RowOperationsReader reader = marked.reader();
    for (int i = 0; i < types.size(); i++) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.cell(0)).containsExactly(i, 0, 0, 0);
      assertThat(new String(reader.cell(1))).isEqualTo("value " + i);
      if (i == 4) {
        assertThat(reader.type()).isEqualTo(OperationType.UPSERT);
        continue;
      }
      assertThat(reader.type()).isEqualTo(OperationType.REFUSED);
      assertThat(reader.type().isWrite()).isFalse();
      assertThat(RefusedOperation.index(reader.typeNumber())).isEqualTo(i == 0 ? 15 : i - 1);
      assertThat(RefusedOperation.skippedBy(reader.typeNumber()))
          .isEqualTo(i == 0 ? null : types.get(i));
    }
    assertThat(reader.next()).isFalse();
    assertThat(rows.reader().next()).isTrue();
    RowOperationsReader unchanged = rows.reader();
    unchanged.next();
    assertThat(unchanged.type()).isEqualTo(OperationType.INSERT);
  }
}
