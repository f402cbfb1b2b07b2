package dev.kudu4j.spark;

/**
 * The format {@code org.apache.kudu.spark.kudu}, the name of the format {@code kudu} in older
 * programs for Apache Kudu's connector. Only the name is the same: no class is in that package,
 * which avoids conflicts with Apache Kudu's connector.
 */
public final class PublishedFormatName extends KuduTableProvider {
  @Override
  public String shortName() {
    return "org.apache.kudu.spark.kudu";
  }
}
