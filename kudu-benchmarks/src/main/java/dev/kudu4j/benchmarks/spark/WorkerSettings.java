package dev.kudu4j.benchmarks.spark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of the Spark process.
 *
 * @param kuduMasters addresses of the masters, separated by commas
 * @param directory directory of the Parquet tables and of Spark's own files
 * @param scale TPC-H's scale factor
 * @param buckets number of tablets of each large table
 * @param sparkMaster Spark's master, such as {@code local[2]}
 * @param configuration properties of the Spark session, in addition to those that the benchmark
 *     needs
 */
public record WorkerSettings(
    String kuduMasters,
    Path directory,
    double scale,
    int buckets,
    String sparkMaster,
    Map<String, String> configuration) {
  private static final int FIXED = 5;

  public WorkerSettings {
    if (!(scale > 0)) {
      throw new IllegalArgumentException("The scale must be positive, not " + scale);
    }
    if (buckets < 2) {
      throw new IllegalArgumentException("A hashed table has at least 2 buckets, not " + buckets);
    }
    configuration = Map.copyOf(configuration);
  }

  /** The settings as arguments of a process, for {@link #parse}. */
  public List<String> toArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(kuduMasters);
    arguments.add(directory.toString());
    arguments.add(Double.toString(scale));
    arguments.add(Integer.toString(buckets));
    arguments.add(sparkMaster);
    configuration.forEach((name, value) -> arguments.add(name + "=" + value));
    return arguments;
  }

  public static WorkerSettings parse(String[] arguments) {
    Map<String, String> configuration = new LinkedHashMap<>();
    for (int i = FIXED; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      configuration.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
    }
    return new WorkerSettings(
        arguments[0],
        Path.of(arguments[1]),
        Double.parseDouble(arguments[2]),
        Integer.parseInt(arguments[3]),
        arguments[4],
        configuration);
  }
}
