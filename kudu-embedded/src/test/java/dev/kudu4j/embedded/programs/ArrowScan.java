package dev.kudu4j.embedded.programs;

import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

final class ArrowScan {
  public static void main(String[] arguments) throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        KuduClient client = new KuduClient.KuduClientBuilder(arguments[0]).build()) {
      KuduTable table = client.openTable("readings");
      KuduScanner.KuduScannerBuilder warm =
          client
              .newScannerBuilder(table)
              .setProjectedColumnNames(List.of("celsius"))
              .addPredicate(
                  KuduPredicate.newComparisonPredicate(
                      table.getSchema().getColumn("celsius"), ComparisonOp.GREATER_EQUAL, 25.0));
      long rows = 0;
      double sum = 0;
      try (ArrowScanner scanner = ArrowScanner.open(warm, allocator)) {
        while (scanner.hasMoreBatches()) {
          try (VectorSchemaRoot batch = scanner.nextBatch()) { // yours: close it
            Float8Vector celsius = (Float8Vector) batch.getVector("celsius");
            for (int row = 0; row < batch.getRowCount(); row++) {
              sum += celsius.get(row);
            }
            rows += batch.getRowCount();
          }
        }
      }
      System.out.println(rows + " warm readings, " + sum / rows + " degrees on average");
    }
  }
}
