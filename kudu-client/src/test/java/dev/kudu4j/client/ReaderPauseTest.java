package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scanner whose reader pauses between batches. */
@Timeout(120)
class ReaderPauseTest {
  private final ScriptedTable numbers = new ScriptedTable();

  @AfterEach
  void close() {
    numbers.close();
  }

  private KuduScanner scan(long keepAlivePeriodMillis) {
    return numbers
        .client()
        .newScannerBuilder(numbers.table())
        .keepAlivePeriodMs(keepAlivePeriodMillis)
        .build();
  }

  @Test
  void aScannerIsKeptAliveWhileItsReaderPauses() throws Exception {
    KuduScanner scanner = scan(5);
    int rows = scanner.nextRows().getNumRows();
    await().until(() -> numbers.low().keepAlives() >= 3);
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    assertThat(rows).isEqualTo(50);
  }

  @Test
  void closingEndsAScannerThatWasKeptAlive() throws Exception {
    KuduScanner scanner = scan(5);
    scanner.nextRows();
    await().until(() -> numbers.low().keepAlives() > 0);
    scanner.close();
    assertThat(numbers.low().openScanners()).isZero();
  }

  @Test
  void anUnreachableScannerIsNotKeptAlive() throws Exception {
    WeakReference<KuduScanner> abandoned = abandon();
    await().until(() -> numbers.low().keepAlives() > 0);
    await()
        .until(
            () -> {
              System.gc();
              return abandoned.get() == null;
            });
  }

  private WeakReference<KuduScanner> abandon() throws KuduException {
    KuduScanner scanner = scan(5);
    scanner.nextRows();
    return new WeakReference<>(scanner);
  }
}
