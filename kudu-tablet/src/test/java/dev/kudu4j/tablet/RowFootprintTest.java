package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.apply.RowFootprint;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.WriteRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The memory charged for a write before it is logged is at least what applying it takes. */
class RowFootprintTest {
  private static final OperationType[] TYPES = {
    OperationType.INSERT_IGNORE,
    OperationType.UPSERT,
    OperationType.UPDATE_IGNORE,
    OperationType.DELETE_IGNORE
  };

  /** A tablet begins with chunks that are not filled: two of the MemRowSet, and one of changes. */
  private static final long CHUNKS_BYTES = 3L * TabletOptions.DEFAULT.arenaChunkBytes();

  private static Schema schema(Random random) {
    List<ColumnSchema> columns = new ArrayList<>();
    DataType key = random.nextBoolean() ? DataType.BINARY : DataType.INT64;
    columns.add(ColumnSchema.builder("key", key).key(true).build());
    int values = random.nextInt(30);
    for (int i = 0; i < values; i++) {
      DataType type = i % 3 == 0 ? DataType.BINARY : i % 3 == 1 ? DataType.INT64 : DataType.INT8;
      byte[] ifUnset = i % 6 == 0 ? new byte[random.nextInt(500)] : null;
      columns.add(ColumnSchema.builder("c" + i, type).nullable(true).writeDefault(ifUnset).build());
    }
    return new Schema(columns).withFreshIds();
  }

  private static byte[] cell(Random random, DataType type, int maxText) {
    int bytes = type.width() == 0 ? random.nextInt(maxText) : type.width();
    return new byte[bytes];
  }

  private static RowOp operation(Random random, Schema schema, int maxText) {
    OperationType type = TYPES[random.nextInt(TYPES.length)];
    Map<Integer, byte[]> cells = new HashMap<>();
    byte[] key =
        ByteBuffer.allocate(8).order(ByteOrder.BIG_ENDIAN).putLong(random.nextInt(3000)).array();
    cells.put(schema.column(0).id(), key);
    for (int i = 1; i < schema.columnCount() && type != OperationType.DELETE_IGNORE; i++) {
      ColumnSchema column = schema.column(i);
      if (random.nextInt(3) == 0) {
        cells.put(column.id(), cell(random, column.type(), maxText));
      }
    }
    return new RowOp(type, cells);
  }

  @Property(tries = 40)
  void theChargeIsAtLeastTheMemoryThatApplyingNeeds(@ForAll int seed) throws IOException {
    Random random = new Random(seed);
    Schema schema = schema(random);
    int maxText = random.nextBoolean() ? 50 : 5000;
    long charged = 0;
    try (TabletHarness harness = new TabletHarness(schema, TabletOptions.DEFAULT)) {
      for (int entry = 0; entry < 20; entry++) {
        List<RowOp> operations = new ArrayList<>();
        for (int row = 0; row < 150; row++) {
          operations.add(operation(random, schema, maxText));
        }
        WriteRequest request = RowOp.request(null, 0, 1, schema, operations);
        charged += new RowFootprint(schema).bytesOf(request.rows());
        harness.write(List.of(request));
        if (entry == 6) {
          harness.tablet().flush();
          charged = 0;
        }
      }
      TabletStatistics now = harness.tablet().statistics();
      long taken = now.memRowSetBytes() + now.deltaMemStoreBytes();
      assertThat(taken).isLessThanOrEqualTo(charged * 4 / 3 + CHUNKS_BYTES);
    }
  }
}
