package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.itest.support.KuduCommand;
import dev.kudu4j.itest.support.KuduCommand.Result;
import dev.kudu4j.itest.support.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release archive without a source tree, and assembled directories of a source tree. */
class DistributionIT {
  private static final Path SOURCES = KuduCommand.COMMAND.getParent().getParent();

  @TempDir private Path directory;
  private Path unpacked;
  private Path mavenCalled;

  @BeforeEach
  void unpackBesideAMavenThatOnlyTakesNotes() throws Exception {
    mavenCalled = directory.resolve("maven-called");
    Path maven = Files.createDirectory(directory.resolve("path")).resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\ntouch '" + mavenCalled + "'\nexit 1\n");
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));

    String packer = SOURCES.resolve("kudu-tools/src/dist/archive.sh").toString();
    Result packed = run(packer, directory.toString());
    assertThat(packed.exitCode()).as(packed.output()).isZero();
    Path archive = Path.of(packed.output().strip());
    Result unpacking = run("tar", "-xzf", archive.toString());
    assertThat(unpacking.exitCode()).as(unpacking.output()).isZero();
    unpacked = directory.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
  }

  @AfterEach
  void stop() throws Exception {
    unpackedKudu("stop", "--timeout=10");
  }

  @Test
  void theUnpackedArchiveRunsAClusterAndHelpChangesNothingBelowIt() throws Exception {
    String master = "127.0.0.1:" + start();
    Result list = unpackedKudu("table", "list", master);
    assertThat(list.exitCode()).as(list.output()).isZero();

    Map<String, Object> jars = jars(unpacked.resolve("lib"));
    Map<String, Object> assembled = jars(SOURCES.resolve("dist"));
    assertThat(jars).isNotEmpty();
    assertThat(unpackedKudu("bench", "--help").output()).contains("source tree");
    for (String mode : List.of("bench", "start")) {
      Result help = run(KuduCommand.COMMAND.toString(), mode, "--help");
      assertThat(help.exitCode()).as(help.output()).isZero();
    }
    assertThat(mavenCalled).doesNotExist();
    assertThat(jars(unpacked.resolve("lib"))).isEqualTo(jars);
    assertThat(jars(SOURCES.resolve("dist"))).isEqualTo(assembled);

    Result stop = unpackedKudu("stop");
    assertThat(stop.exitCode()).as(stop.output()).isZero();
  }

  /** Starts a small cluster and returns its master's port. */
  private int start() throws Exception {
    int masterPort = Ports.free();
    Result start =
        unpackedKudu(
            "start",
            "--tservers=1",
            "--master-port=" + masterPort,
            "--master-web-port=" + Ports.free(),
            "--tserver-port=" + Ports.free(),
            "--tserver-web-port=" + Ports.free());
    assertThat(start.exitCode()).as(start.output()).isZero();
    return masterPort;
  }

  private Result unpackedKudu(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(unpacked.resolve("bin/kudu").toString()));
    words.addAll(List.of(arguments));
    return run(words.toArray(String[]::new));
  }

  /** Runs with the environment of a developer's shell. */
  private Result run(String... words) throws Exception {
    String path = directory.resolve("path") + ":" + System.getenv("PATH");
    return KuduCommand.run(directory, Map.of("PATH", path, "KUDU4J_DEV", "1"), List.of(words));
  }

  /** Every jar below a directory, with a fingerprint that distinguishes jars of the same name. */
  private static Map<String, Object> jars(Path directory) throws IOException {
    Map<String, Object> jars = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file :
          (Iterable<Path>) files.filter(f -> f.toString().endsWith(".jar"))::iterator) {
        BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
        jars.put(file.toString(), List.of(facts.fileKey(), facts.lastModifiedTime(), facts.size()));
      }
    }
    return jars;
  }
}
