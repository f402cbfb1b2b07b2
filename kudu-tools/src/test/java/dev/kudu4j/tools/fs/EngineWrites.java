package dev.kudu4j.tools.fs;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.List;
import java.util.function.Consumer;

/** Appends rows (id, age, name) to a tablet that no server has open. */
final class EngineWrites {
  private final Tablet tablet;
  private long index;
  private long timestamp;

  EngineWrites(Tablet tablet) {
    this.tablet = tablet;
    this.index = tablet.checkpoint().index();
    this.timestamp = tablet.latestSnapshot();
  }

  void insert(int first, int count) {
    write(
        writer -> {
          for (int id = first; id < first + count; id++) {
            writer.begin(OperationType.INSERT);
            writer.setInt(0, id).setInt(1, id - first).setString(2, "name " + id).end();
          }
        });
  }

  void update(int first, int count, int older) {
    write(
        writer -> {
          for (int id = first; id < first + count; id++) {
            writer.begin(OperationType.UPDATE).setInt(0, id).setInt(1, id - first + older).end();
          }
        });
  }

  void delete(int id) {
    write(writer -> writer.begin(OperationType.DELETE).setInt(0, id).end());
  }

  private void write(Consumer<RowOperationsWriter> operations) {
    Schema schema = tablet.schema();
    RowLayout layout = RowLayout.of(schema);
    RowOperationsWriter writer = new RowOperationsWriter(layout);
    operations.accept(writer);
    int[] ids = schema.columns().stream().mapToInt(column -> column.id()).toArray();
    byte[] entry =
        LogEntry.encodeWrite(
            List.of(
                new WriteRequest(null, tablet.descriptor().schemaVersion(), ids, writer.packed())));
    LogEntry.patchTimestamp(entry, timestamp);
    timestamp += LogEntry.timestampCount(entry);
    index++;
    long term = tablet.checkpoint().term();
    tablet.apply(new LogPosition(term, index), LogEntry.decode(entry, 0, entry.length));
  }
}
