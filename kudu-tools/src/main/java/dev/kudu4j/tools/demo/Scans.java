package dev.kudu4j.tools.demo;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import java.util.function.Consumer;

/** Reads scanners to their end and closes them. */
final class Scans {
  private Scans() {}

  static long count(KuduScanner scanner) throws KuduException {
    long count = 0;
    try {
      while (scanner.hasMoreRows()) {
        count += scanner.nextRows().getNumRows();
      }
      return count;
    } finally {
      scanner.close();
    }
  }

  static void forEach(KuduScanner scanner, Consumer<RowResult> action) throws KuduException {
    try {
      while (scanner.hasMoreRows()) {
        RowResultIterator batch = scanner.nextRows();
        while (batch.hasNext()) {
          action.accept(batch.next());
        }
      }
    } finally {
      scanner.close();
    }
  }
}
