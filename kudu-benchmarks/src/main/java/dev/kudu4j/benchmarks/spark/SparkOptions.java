package dev.kudu4j.benchmarks.spark;

import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.launcher.JavaModuleOptions;
import picocli.CommandLine.Option;

/** Command-line options for the Spark process. Also starts that process. */
public final class SparkOptions {
  @Option(
      names = "--spark-master",
      defaultValue = "local[2]",
      paramLabel = "MASTER",
      description = "Spark's master. Spark's executors run in one process: local[THREADS].")
  private String master;

  @Option(
      names = "--spark-conf",
      paramLabel = "NAME=VALUE",
      description =
          "A property of the Spark session, for tables of both kinds, such as"
              + " spark.sql.shuffle.partitions=4; may be repeated.")
  private Map<String, String> configuration = new LinkedHashMap<>();

  @Option(
      names = "--spark-heap-mb",
      defaultValue = "4096",
      description = "Heap of Spark's JVM, in MB.")
  private int heapMegabytes;

  @Option(
      names = "--spark-class-path",
      paramLabel = "PATH",
      defaultValue = "${sys:kudu4j.spark.class.path:-}",
      description = "Class path of Spark's JVM; by default the one the build assembled.")
  private String classPath;

  public String master() {
    return master;
  }

  public Map<String, String> configuration() {
    return configuration;
  }

  public int heapMegabytes() {
    return heapMegabytes;
  }

  /**
   * Starts Spark and returns when its session is open.
   *
   * @param mainClass name of the class that serves the orders
   * @param log file for the output of the process
   */
  public WorkerProcess start(String mainClass, WorkerSettings settings, Path log)
      throws IOException {
    if (classPath.isEmpty()) {
      throw new IllegalArgumentException(
          "No class path of Spark; use bin/kudu bench, which assembles it, or specify it with"
              + " --spark-class-path");
    }
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + heapMegabytes + "m");
    options.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    return WorkerProcess.start(
        "Spark process", options, classPath, mainClass, settings.toArguments(), log);
  }
}
