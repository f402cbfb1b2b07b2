package dev.kudu4j.itest.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The client needs no JVM flags, on the class path or as a module, in every Java from 17 on that is
 * installed on this machine.
 */
class PlainProgramIT {
  private static final Path JAVAS = Path.of("/usr/lib/jvm");
  private static final String MODULE = "dev.kudu4j.client";

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().tabletServers(1).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void runsOnTheClassPath() throws Exception {
    for (Map.Entry<Integer, Path> java : javas().entrySet()) {
      assertThat(
              run(
                  java.getValue(),
                  "class_path_" + java.getKey(),
                  List.of("-cp", System.getProperty("java.class.path"))))
          .as("Java %d", java.getKey())
          .contains("class path: 1000 rows, 1000 in vectors");
    }
  }

  @Test
  void runsWithTheClientAsAModule() throws Exception {
    List<String> modules = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      (isModule(entry) ? modules : others).add(entry);
    }
    assumeThat(modules)
        .as("jars, which a build up to `package` makes")
        .anyMatch(entry -> entry.contains("kudu-client"));
    for (Map.Entry<Integer, Path> java : javas().entrySet()) {
      assertThat(
              run(
                  java.getValue(),
                  "module_" + java.getKey(),
                  List.of(
                      "-p",
                      String.join(File.pathSeparator, modules),
                      "--add-modules",
                      "ALL-MODULE-PATH",
                      "-cp",
                      String.join(File.pathSeparator, others))))
          .as("Java %d", java.getKey())
          .contains(MODULE + ": 1000 rows, 1000 in vectors");
    }
  }

  /** The client and its required libraries. */
  private static boolean isModule(String entry) {
    String name = Path.of(entry).getFileName().toString();
    return name.endsWith(".jar")
        && !name.contains("tests")
        && !entry.contains("org/apache/kudu")
        && Stream.of("kudu-client", "kudu-common", "netty-", "protobuf-java-", "slf4j-api")
            .anyMatch(name::startsWith);
  }

  /** Javas by feature version: that of this JVM, and others. */
  private static Map<Integer, Path> javas() throws IOException {
    Map<Integer, Path> javas = new TreeMap<>();
    if (Files.isDirectory(JAVAS)) {
      try (Stream<Path> homes = Files.list(JAVAS)) {
        for (Path home : homes.toList()) {
          int version = version(home);
          if (version >= 17 && Files.isExecutable(home.resolve("bin/java"))) {
            javas.put(version, home);
          }
        }
      }
    }
    javas.put(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    System.out.println("plain program: Java " + javas.keySet());
    return javas;
  }

  private static int version(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.exists(release)) {
      return 0;
    }
    return Files.readAllLines(release).stream()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .map(line -> line.replaceAll("[^0-9.]", "").split("\\.")[0])
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(0);
  }

  private static String run(Path home, String table, List<String> path) throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
    command.addAll(path);
    command.addAll(List.of(PlainProgram.class.getName(), cluster.masterAddresses(), table));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
