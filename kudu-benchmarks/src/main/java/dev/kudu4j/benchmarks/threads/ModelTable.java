package dev.kudu4j.benchmarks.threads;

import com.google.protobuf.ByteString;
import dev.kudu4j.Schema;
import dev.kudu4j.benchmarks.selection.GeneratedTable;
import dev.kudu4j.client.KuduIndex;
import java.util.List;

/** The table of a comparison of thread models, of one tablet. */
public interface ModelTable {
  GeneratedTable rows();

  /** The indexes of the table. */
  List<KuduIndex> indexes();

  /** Whether the rows stay in memory; otherwise they are flushed. */
  boolean isInMemory();

  /** The operations on the table's tablet. Each server has the same ones. */
  List<ScanOperation> operations(Schema schema, ByteString tabletId);
}
