package dev.kudu4j.spark;

/**
 * The format {@code org.apache.kudu.spark.kudu}, as older programs for Apache Kudu's connector name
 * the format {@code kudu}. Only the name is theirs: no class is in that package, so that nothing
 * clashes with their connector.
 */
public final class PublishedFormatName extends KuduTableProvider {
  @Override
  public String shortName() {
    return "org.apache.kudu.spark.kudu";
  }
}
