package dev.kudu4j.benchmarks.tpch;

import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.launcher.JavaModuleOptions;
import picocli.CommandLine.Option;

/** The options of Spark's process, and its start. */
final class SparkOptions {
  private static final String MAIN_CLASS = "dev.kudu4j.benchmarks.tpch.spark.TpchWorker";

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

  String master() {
    return master;
  }

  Map<String, String> configuration() {
    return configuration;
  }

  int heapMegabytes() {
    return heapMegabytes;
  }

  /**
   * Starts Spark and returns when its session is open.
   *
   * @param log file for the output of the process
   */
  WorkerProcess start(WorkerSettings settings, Path log) throws IOException {
    if (classPath.isEmpty()) {
      throw new IllegalArgumentException(
          "No class path of Spark; use bin/kudu bench tpch, which assembles it, or specify it with"
              + " --spark-class-path");
    }
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + heapMegabytes + "m");
    options.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    return WorkerProcess.start(
        "Spark process", options, classPath, MAIN_CLASS, settings.toArguments(), log);
  }
}
