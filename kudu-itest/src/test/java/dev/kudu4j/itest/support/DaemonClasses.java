package dev.kudu4j.itest.support;

import dev.kudu4j.tools.WarmUp;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kudu.client.KuduClient;

/**
 * The classes of daemons: the jars of the test's class path, and an archive of the classes that a
 * daemon loads. The first test of a build makes the archive, as {@code bin/kudu} does for users. It
 * saves a second of processor time at each start, and the tests start some hundred daemons. The JVM
 * ignores an archive that does not fit the jars.
 */
final class DaemonClasses {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /**
   * Without directories, for which the JVM archives no classes, without classes of tests, and
   * without the published client, whose jar contains another version of Netty's native library:
   * with two of them Netty loads none. Daemons need none of these.
   */
  private static final String JARS =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(entry -> Files.isRegularFile(Path.of(entry)))
          .filter(entry -> !entry.endsWith("-tests.jar") && !isPublishedClient(entry))
          .collect(Collectors.joining(File.pathSeparator));

  private static final List<String> OPTIONS = options();

  private DaemonClasses() {}

  private static boolean isPublishedClient(String jar) {
    return jar.equals(
        KuduClient.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  /** Options of the JVM of a daemon: class path and archive. */
  static List<String> javaOptions() {
    return OPTIONS;
  }

  private static List<String> options() {
    String archive = "daemon-classes-" + Integer.toHexString(fingerprint().hashCode()) + ".jsa";
    try {
      Path made = make(TARGET.resolve(archive));
      return List.of(
          "-Xshare:auto",
          "-XX:SharedArchiveFile=" + made,
          "-Xlog:cds=off",
          "-Xlog:cds+dynamic=off",
          "-cp",
          JARS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Differs between JVMs, and between builds of the jars. */
  private static String fingerprint() {
    StringBuilder text = new StringBuilder(System.getProperty("java.home"));
    for (String jar : JARS.split(File.pathSeparator)) {
      File file = new File(jar);
      text.append(jar).append(file.length()).append(file.lastModified());
    }
    return text.toString();
  }

  /** Test JVMs that run side by side make it once. */
  private static Path make(Path archive) throws IOException, InterruptedException {
    Path lock = archive.resolveSibling(archive.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var held = channel.lock()) {
      if (held.isValid() && !Files.exists(archive)) {
        Path fresh = archive.resolveSibling(archive.getFileName() + ".new");
        Process making =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:ArchiveClassesAtExit=" + fresh,
                    "-cp",
                    JARS,
                    WarmUp.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(TARGET.resolve("daemon-classes.log").toFile())
                .start();
        if (making.waitFor() != 0 || !Files.exists(fresh)) {
          throw new IOException(
              "No archive of classes was made; see " + TARGET.resolve("daemon-classes.log"));
        }
        Files.move(fresh, archive, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return archive;
  }
}
