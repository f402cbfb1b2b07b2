package dev.kudu4j.benchmarks.cluster;

/**
 * A running cluster that this process does not control, here or elsewhere. It is neither flushed
 * nor waited for, and the resource usage of its servers is unknown.
 */
record GivenCluster(String masterAddresses) implements TargetCluster {
  @Override
  public double cpuNanos() {
    return Double.NaN;
  }

  @Override
  public void flush() {
    // Not possible.
  }

  @Override
  public void awaitIdle() {
    // Not observable.
  }

  @Override
  public double dataBytes() {
    return Double.NaN;
  }

  @Override
  public double fileBytes() {
    return Double.NaN;
  }

  @Override
  public void close() {
    // Nothing was opened.
  }
}
