package dev.kudu4j.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WorkerProcessTest {
  @TempDir private Path directory;

  /** A worker that adds two numbers, and ends on request. */
  public static final class Adder {
    public static void main(String[] arguments) throws IOException {
      Worker worker = Worker.start();
      System.out.println("answer: that a library prints is none");
      worker.serve(Adder::carryOut);
    }

    private static Map<String, Double> carryOut(String[] order) {
      if (order[0].equals("DIE")) {
        System.err.println("last words");
        System.exit(1);
      }
      return Map.of("SUM", Double.parseDouble(order[0]) + Double.parseDouble(order[1]));
    }
  }

  @Test
  void ordersAreAnsweredWithFigures() throws IOException {
    try (WorkerProcess worker = start()) {
      assertThat(worker.order("1 2")).isEqualTo(Map.of("SUM", 3.0));
      assertThat(worker.order("0.5 -2")).isEqualTo(Map.of("SUM", -1.5));
    }
  }

  @Test
  void failureOfAnOrderNamesItsReasonAndTheWorkerContinues() throws IOException {
    try (WorkerProcess worker = start()) {
      assertThatThrownBy(() -> worker.order("1 x"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("The adder failed")
          .hasMessageContaining("\"x\"");
      assertThat(worker.order("1 1")).isEqualTo(Map.of("SUM", 2.0));
    }
  }

  @Test
  void endOfTheProcessShowsItsOutput() throws IOException {
    try (WorkerProcess worker = start()) {
      assertThatThrownBy(() -> worker.order("DIE"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("last words");
    }
  }

  private WorkerProcess start() throws IOException {
    return WorkerProcess.start(
        "adder",
        List.of("-Xmx32m"),
        System.getProperty("java.class.path"),
        Adder.class.getName(),
        List.of(),
        directory.resolve("worker.out"));
  }
}
