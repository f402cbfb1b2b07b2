package dev.kudu4j.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.common.proto.server.SetFlagRequestPB;
import dev.kudu4j.common.proto.server.SetFlagResponsePB;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The published Apache Kudu binaries, unpacked from {@code org.apache.kudu:kudu-binary} and run
 * with the system's Kerberos libraries.
 *
 * <p>Its servers have no RPC that flushes. To flush, this class lowers the flag {@code
 * flush_threshold_secs} until the metrics show that no tablet has rows in memory.
 */
public final class PublishedDistribution implements Distribution {
  private static final String FLUSH_AGE = "flush_threshold_secs";
  private static final String DEFAULT_FLUSH_AGE = "120";
  private static final long EMPTY_STORE_BYTES = 64 << 10;
  private static final long FLUSH_TIMEOUT_MILLIS = 300_000;
  private static final String METRICS =
      "/metrics?compact=1&types=tablet&metrics=memrowset_size,deltamemstore_size";
  private static final String SIZES = "/metrics?compact=1&types=tablet&metrics=on_disk_data_size";

  private final Path home;

  /**
   * @param unpacked the directory into which the archive was unpacked, or the archive's top
   *     directory in it
   */
  public PublishedDistribution(Path unpacked) {
    try {
      this.home = locate(unpacked);
      for (String bundled : List.of("libkrb5.so.3", "libgssapi_krb5.so.2", "libk5crypto.so.3")) {
        Files.deleteIfExists(home.resolve("lib").resolve(bundled));
      }
      for (String binary : List.of("kudu", "kudu-master", "kudu-tserver")) {
        Path file = home.resolve("bin").resolve(binary);
        if (!file.toFile().setExecutable(true)) {
          throw new IOException("Cannot make " + file + " executable");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path locate(Path unpacked) throws IOException {
    if (Files.isDirectory(unpacked.resolve("bin"))) {
      return unpacked;
    }
    if (!Files.isDirectory(unpacked)) {
      throw new IOException(
          "No published Apache Kudu in " + unpacked + "; build with -Pbench or set --published");
    }
    try (Stream<Path> entries = Files.list(unpacked)) {
      return entries
          .filter(entry -> Files.isDirectory(entry.resolve("bin")))
          .findFirst()
          .orElseThrow(() -> new IOException("No directory with a bin directory in " + unpacked));
    }
  }

  @Override
  public List<String> command(Daemon daemon) {
    return List.of(home.resolve("bin").resolve("kudu").toString(), daemon.command(), "run");
  }

  @Override
  public List<String> flags(Daemon daemon) {
    return List.of(
        "--unlock_unsafe_flags",
        "--unlock_experimental_flags",
        "--time_source=system_unsync",
        "--logtostderr");
  }

  @Override
  public Map<String, String> environment() {
    return Map.of("SASL_PATH", home.resolve("lib").resolve("sasl2").toString());
  }

  @Override
  public void flush(ServerProcess tabletServer, StatusClient rpc) {
    setFlag(tabletServer, rpc, FLUSH_AGE, "1");
    Poll.until(
        "Apache Kudu has flushed", FLUSH_TIMEOUT_MILLIS, 100, () -> isFlushed(tabletServer, rpc));
    setFlag(tabletServer, rpc, FLUSH_AGE, DEFAULT_FLUSH_AGE);
  }

  private static boolean isFlushed(ServerProcess tabletServer, StatusClient rpc) {
    boolean seen = false; // a page without tablets is not complete yet
    for (JsonNode tablet : WebPage.json(rpc.webAddress(tabletServer.address()), METRICS)) {
      for (JsonNode metric : tablet.path("metrics")) {
        seen = true;
        if (metric.path("value").asLong() > EMPTY_STORE_BYTES) {
          return false;
        }
      }
    }
    return seen;
  }

  @Override
  public long dataBytes(ServerProcess tabletServer, StatusClient rpc) {
    long bytes = 0;
    for (JsonNode tablet : WebPage.json(rpc.webAddress(tabletServer.address()), SIZES)) {
      for (JsonNode metric : tablet.path("metrics")) {
        bytes += metric.path("value").asLong();
      }
    }
    return bytes;
  }

  private static void setFlag(ServerProcess server, StatusClient rpc, String flag, String value) {
    SetFlagResponsePB answer =
        rpc.call(
            server.address(),
            StatusClient.GENERIC_SERVICE,
            "SetFlag",
            SetFlagRequestPB.newBuilder().setFlag(flag).setValue(value).setForce(true).build(),
            SetFlagResponsePB.parser());
    if (answer.getResult() != SetFlagResponsePB.Code.SUCCESS) {
      throw new IllegalStateException("Apache Kudu rejected --" + flag + ": " + answer.getMsg());
    }
  }
}
