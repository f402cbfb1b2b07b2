package dev.kudu4j.spark.read;

import org.apache.spark.sql.SparkSession;

/** The features of the running Spark on which the planning of scans depends. */
final class SparkVersion {
  private SparkVersion() {}

  /**
   * Whether Spark makes one task of all splits with the same key in every scan that reports its
   * partitioning. Since version 4.2 it does so only for joins and aggregations that need it.
   */
  static boolean groupsEveryScan() {
    return SparkSession.active().version().startsWith("4.1.");
  }

  /** The number of tasks that run at the same time. */
  static int cores() {
    return SparkSession.active().sparkContext().defaultParallelism();
  }
}
