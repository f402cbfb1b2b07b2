package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.AutoIncrementingColumnSchemaBuilder;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.scan.FakeScans;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The descriptions of an operation and of its table's schema. */
class OperationTest {
  @Test
  void theOperationHasThePartitionKeyOfItsRow() {
    try (ScriptedTable numbers = new ScriptedTable()) {
      Insert insert = numbers.table().newInsert();
      assertThatThrownBy(insert::partitionKey)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("column k is not set");
      insert.getRow().addInt("k", 7);
      assertThat(insert.partitionKey()).isEqualTo(FakeScans.key(7).toByteArray());
    }
  }

  @Test
  void theAutoIncrementingColumnCanBeDescribed() {
    ColumnSchema counter =
        new AutoIncrementingColumnSchemaBuilder()
            .encoding(ColumnSchema.Encoding.BIT_SHUFFLE)
            .comment("makes rows differ")
            .build();
    ColumnSchema key = new ColumnSchemaBuilder("k", Type.STRING).nonUniqueKey(true).build();
    Schema schema = new Schema(List.of(key, counter));
    assertThat(schema.hasAutoIncrementingColumn()).isTrue();
    assertThat(schema.isPrimaryKeyUnique()).isFalse();
    assertThat(schema.getPrimaryKeyColumnCount()).isEqualTo(2);
    ColumnSchema described = schema.getColumn(Schema.getAutoIncrementingColumnName());
    assertThat(described.getEncoding()).isEqualTo(ColumnSchema.Encoding.BIT_SHUFFLE);
    assertThat(described.getComment()).isEqualTo("makes rows differ");
    assertThat(described.getType()).isEqualTo(Schema.getAutoIncrementingColumnType());
  }
}
