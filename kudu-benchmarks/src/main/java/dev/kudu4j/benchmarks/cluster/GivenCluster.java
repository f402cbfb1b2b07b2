package dev.kudu4j.benchmarks.cluster;

/**
 * A running cluster that this process does not control, on this machine or on others. It cannot be
 * flushed, and neither its background work nor the resource usage of its servers can be observed.
 */
record GivenCluster(String masterAddresses) implements TargetCluster {
  @Override
  public double cpuNanos() {
    return Double.NaN;
  }

  @Override
  public ThreadTimes requestThreads() {
    return ThreadTimes.UNKNOWN;
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
