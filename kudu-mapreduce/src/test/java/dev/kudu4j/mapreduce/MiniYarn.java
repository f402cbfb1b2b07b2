package dev.kudu4j.mapreduce;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/**
 * A small YARN in a process of its own: a resource manager, a node manager and a history server, on
 * free ports, with the libraries that the nodes of a real cluster have. Its tasks are processes
 * with Hadoop's class path, which contains nothing of this JVM's class path.
 */
final class MiniYarn implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(4);

  private final Path log;
  private final Process process;
  private final Configuration conf;
  private final String classPath;

  /**
   * @param home the directory of mini-yarn, built
   * @param directory for its files; must not be shared
   */
  MiniYarn(Path home, Path directory) throws IOException {
    this.classPath = Files.readString(home.resolve("target/classpath")).trim();
    this.log = directory.resolve("yarn.log");
    this.process = start(home.resolve("src/StartYarn.java").toAbsolutePath(), directory);
    Path ready = directory.resolve("yarn-conf.xml");
    try {
      awaitStart(ready);
      this.conf = new Configuration();
      conf.addResource(ready.toUri().toURL());
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Process start(Path program, Path directory) throws IOException {
    return new ProcessBuilder(
            java(), "-Xmx384m", "-cp", classPath, program.toString(), directory.toString())
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private void awaitStart(Path ready) throws IOException {
    try {
      await("YARN has started")
          .atMost(START)
          .failFast("its process has ended", () -> !process.isAlive())
          .until(() -> Files.exists(ready));
    } catch (ConditionTimeoutException | TerminalFailureException e) {
      throw new IOException("YARN did not start:\n" + Files.readString(log), e);
    }
  }

  /** The settings that a job needs to run here, with small processes. */
  Configuration jobConf() {
    Configuration job = new Configuration(conf);
    String java = "JAVA_HOME=" + System.getProperty("java.home");
    job.set("mapreduce.framework.name", "yarn");
    job.set("yarn.app.mapreduce.am.env", java);
    job.set("mapreduce.map.env", java);
    job.set("mapreduce.reduce.env", java);
    job.set("yarn.app.mapreduce.am.resource.mb", "512");
    job.set("yarn.app.mapreduce.am.command-opts", "-Xmx256m");
    job.set("mapreduce.map.memory.mb", "512");
    job.set("mapreduce.map.java.opts", "-Xmx200m");
    job.set("mapreduce.task.io.sort.mb", "32");
    job.set("mapreduce.reduce.memory.mb", "512");
    job.set("mapreduce.reduce.java.opts", "-Xmx200m");
    job.setBoolean("yarn.is.minicluster", false); // the settings above replace its effects
    // Jars on the same file system are not copied, so the wildcard would match none.
    job.setBoolean("mapreduce.client.libjars.wildcard", false);
    job.set("mapreduce.application.classpath", classPath.replace(':', ','));
    job.set("yarn.application.classpath", classPath.replace(':', ','));
    return job;
  }

  /** Ends the cluster and the processes of its jobs. */
  @Override
  public void close() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle one : all) {
      one.onExit().orTimeout(10, TimeUnit.SECONDS).exceptionally(late -> one).join();
    }
  }
}
