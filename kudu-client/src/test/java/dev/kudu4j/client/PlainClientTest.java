package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.scan.FakeScans;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.schema.DataType;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

/** The classes that a client loads if it reads rows, and uses neither Arrow vectors nor meters. */
class PlainClientTest {
  @Test
  void readingRowsLoadsNeitherArrowNorMicrometer() throws Exception {
    List<String> loaded = classesLoadedBy("rows");
    assertThat(loaded).anyMatch(line -> line.contains("dev.kudu4j.client.ColumnarRowResult "));
    assertThat(loaded.stream().filter(line -> line.contains("org.apache.arrow."))).isEmpty();
    assertThat(loaded.stream().filter(line -> line.contains("io.micrometer."))).isEmpty();
  }

  @Test
  void readingVectorsNeedsNoFlag() throws Exception {
    assertThat(classesLoadedBy("vectors"))
        .anyMatch(line -> line.contains("org.apache.arrow.vector.VectorSchemaRoot "));
  }

  @Test
  void readingRowsNeedsNoArrowOnTheClassPath() throws Exception {
    String without =
        Stream.of(classPath().split(File.pathSeparator))
            .filter(entry -> !entry.contains("arrow"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(without).isNotEqualTo(classPath());
    assertThat(classesLoadedBy("rows", without))
        .anyMatch(line -> line.contains("dev.kudu4j.client.parallel.ParallelRun "));
  }

  /** The class path, also if surefire has put it into the manifest of a jar. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static List<String> classesLoadedBy(String what)
      throws IOException, InterruptedException {
    return classesLoadedBy(what, classPath());
  }

  private static List<String> classesLoadedBy(String what, String classPath)
      throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-verbose:class",
                "-cp",
                classPath,
                Reader.class.getName(),
                what)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(java.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(java.exitValue()).as(output).isZero();
    return output.lines().toList();
  }

  /** Reads a table of a scripted cluster, in a JVM of its own. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws Exception {
      Schema schema =
          Schema.of(
              new dev.kudu4j.common.schema.Schema(
                  List.of(
                      dev.kudu4j.common.schema.ColumnSchema.builder("k", DataType.INT32)
                          .id(0)
                          .key(true)
                          .build())));
      try (FakeMaster master = FakeMaster.open();
          FakeTabletServer server =
              FakeTabletServer.open("a").scans(new FakeScans(1).tablet("t", 0, 25));
          AsyncKuduClient client =
              new AsyncKuduClient.AsyncKuduClientBuilder("127.0.0.1:" + master.address().port())
                  .build()) {
        master.addTablet("t", new byte[0], new byte[0], server);
        KuduTable table =
            new KuduTable(
                client,
                "id",
                "name",
                schema,
                new PartitionSchema(List.of(), List.of(0), List.of()),
                new KuduTable.Properties(1, Map.of(), "", ""));
        KuduScanner.KuduScannerBuilder scan = client.syncClient().newScannerBuilder(table);
        int rows =
            arguments[0].equals("rows")
                ? rows(scan) + parallelRows(client.syncClient().newScanTokenBuilder(table)) - 25
                : VectorReader.rows(scan);
        if (rows != 25) {
          throw new AssertionError(rows + " rows");
        }
      }
    }

    private static int parallelRows(KuduScanToken.KuduScanTokenBuilder scan) throws KuduException {
      int[] rows = new int[1];
      scan.parallel().forEachBatch(batch -> rows[0] += batch.getNumRows());
      return rows[0];
    }

    private static int rows(KuduScanner.KuduScannerBuilder scan) {
      int next = 0;
      for (RowResult row : scan.build()) {
        if (row.getInt(0) != next++) {
          throw new AssertionError(row.rowToString());
        }
      }
      return next;
    }
  }

  /**
   * A separate class, because the JVM loads Arrow's classes when it verifies a class that uses
   * them.
   */
  private static final class VectorReader {
    private VectorReader() {}

    static int rows(KuduScanner.KuduScannerBuilder scan) throws KuduException {
      int next = 0;
      try (BufferAllocator allocator = new RootAllocator();
          ArrowScanner scanner = scan.arrow(allocator)) {
        while (scanner.hasMoreBatches()) {
          try (VectorSchemaRoot batch = scanner.nextBatch()) {
            IntVector vector = (IntVector) batch.getVector(0);
            for (int i = 0; i < batch.getRowCount(); i++) {
              if (vector.get(i) != next++) {
                throw new AssertionError(vector.get(i));
              }
            }
          }
        }
      }
      return next;
    }
  }
}
