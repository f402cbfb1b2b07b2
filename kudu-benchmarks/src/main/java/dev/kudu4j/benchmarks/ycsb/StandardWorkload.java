package dev.kudu4j.benchmarks.ycsb;

import java.util.List;
import java.util.Properties;

/** YCSB's core workloads, as YCSB's files {@code workloada} to {@code workloadf} define them. */
enum StandardWorkload {
  A("half reads, half updates"),
  B("95 % reads, 5 % updates"),
  C("reads"),
  D("95 % reads of the newest, 5 % inserts"),
  E("95 % scans of up to 100, 5 % inserts"),
  F("half reads, half reads with an update of what was read");

  private final String summary;

  StandardWorkload(String summary) {
    this.summary = summary;
  }

  String summary() {
    return summary;
  }

  /** The kinds of operations that this workload has. */
  List<OperationKind> kinds() {
    return switch (this) {
      case A, B -> List.of(OperationKind.READ, OperationKind.UPDATE);
      case C -> List.of(OperationKind.READ);
      case D -> List.of(OperationKind.READ, OperationKind.INSERT);
      case E -> List.of(OperationKind.SCAN, OperationKind.INSERT);
      case F -> List.of(OperationKind.READ, OperationKind.UPDATE, OperationKind.READ_MODIFY_WRITE);
    };
  }

  /**
   * The properties for YCSB. Workload D is defined to request the newest records: instead of {@code
   * zipfian} it uses YCSB's {@code latest}, which applies Zipf's law to the age of the records.
   */
  Properties properties(RequestDistribution distribution) {
    Properties properties = new Properties();
    switch (this) {
      case A -> proportions(properties, 0.5, 0.5, 0, 0, 0);
      case B -> proportions(properties, 0.95, 0.05, 0, 0, 0);
      case C -> proportions(properties, 1, 0, 0, 0, 0);
      case D -> proportions(properties, 0.95, 0, 0.05, 0, 0);
      case E -> proportions(properties, 0, 0, 0.05, 0.95, 0);
      case F -> proportions(properties, 0.5, 0, 0, 0, 0.5);
    }
    boolean newest = this == D && distribution == RequestDistribution.ZIPFIAN;
    properties.setProperty("requestdistribution", newest ? "latest" : distribution.word());
    properties.setProperty("maxscanlength", "100");
    properties.setProperty("scanlengthdistribution", "uniform");
    return properties;
  }

  private static void proportions(
      Properties properties, double read, double update, double insert, double scan, double both) {
    properties.setProperty("readproportion", Double.toString(read));
    properties.setProperty("updateproportion", Double.toString(update));
    properties.setProperty("insertproportion", Double.toString(insert));
    properties.setProperty("scanproportion", Double.toString(scan));
    properties.setProperty("readmodifywriteproportion", Double.toString(both));
  }
}
