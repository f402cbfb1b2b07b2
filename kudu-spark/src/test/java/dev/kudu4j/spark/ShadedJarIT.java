package dev.kudu4j.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that users give to Spark: its content, and that Spark needs no other jar of Kudu4j. */
class ShadedJarIT {
  private static final Path JAR = Path.of(System.getProperty("shaded.jar"));

  @Test
  void theJarContainsOnlyOurPackages() throws IOException {
    List<String> others = new ArrayList<>();
    boolean netty = false;
    boolean epoll = false;
    try (ZipFile jar = new ZipFile(JAR.toFile())) {
      for (ZipEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        netty |= name.startsWith("dev/kudu4j/shaded/io/netty/buffer/");
        epoll |=
            name.startsWith("META-INF/native/libdev_kudu4j_shaded_netty_transport_native_epoll");
        if (!entry.isDirectory() && !name.startsWith("dev/kudu4j/") && !isMetadata(name)) {
          others.add(name);
        }
      }
    }
    assertThat(others).isEmpty();
    assertThat(netty && epoll).as("Netty, and its native transport").isTrue();
  }

  private static boolean isMetadata(String name) {
    return name.matches("META-INF/(MANIFEST.MF|LICENSE.*|NOTICE.*|license/.*)")
        || name.startsWith("META-INF/services/")
        || name.startsWith("META-INF/native/libdev_kudu4j_shaded_")
        || name.matches("META-INF/versions/\\d+/dev/kudu4j/.*");
  }

  /** A Spark session in a separate JVM, with the jar and no other Kudu4j classes. */
  @Test
  void sessionNeedsNothingElse(@TempDir Path directory) throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-Xmx700m");
      command.addAll(List.of(System.getProperty("test.jit", "-XX:TieredStopAtLevel=1").split(" ")));
      ShadedSession.OPENS.forEach(
          name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
      command.addAll(List.of("-cp", classPath(), ShadedSession.class.getName()));
      command.addAll(List.of(cluster.masterAddresses(), directory.toString()));
      File output = directory.resolve("output").toFile();
      Process session =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
      try {
        assertThat(session.waitFor(300, TimeUnit.SECONDS)).as("the session ends").isTrue();
      } finally {
        session.destroyForcibly();
      }
      String printed = Files.readString(output.toPath(), StandardCharsets.UTF_8);
      assertThat(printed).contains("rows: 3, answer: [2,b]");
      assertThat(session.exitValue()).isZero();
    }
  }

  /** Spark's jars as this test has them, the shaded jar, and the session's own class. */
  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("kudu-") || entry.endsWith("test-classes"))
            .filter(entry -> !entry.contains("arrow-memory-unsafe"))
            .collect(Collectors.joining(File.pathSeparator))
        + File.pathSeparator
        + JAR;
  }
}
