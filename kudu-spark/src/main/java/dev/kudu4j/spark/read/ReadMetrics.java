package dev.kudu4j.spark.read;

import dev.kudu4j.client.ResourceMetrics;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The metrics of a scan in Spark's UI, summed over its tasks. */
final class ReadMetrics {
  private ReadMetrics() {}

  static CustomMetric[] all() {
    return new CustomMetric[] {
      new Rows(), new Batches(), new BytesRead(), new WaitTime(), new ServerTime()
    };
  }

  /** The metrics of a scan that returns groups. */
  static CustomMetric[] ofGroups() {
    return new CustomMetric[] {new Rows(), new BytesRead(), new WaitTime(), new ServerTime()};
  }

  static CustomTaskMetric[] values(
      long rows, long batches, long waitedNanos, ResourceMetrics server) {
    CustomTaskMetric[] others = valuesOfGroups(rows, waitedNanos, server);
    CustomTaskMetric[] all = Arrays.copyOf(others, others.length + 1);
    all[others.length] = new Value(Batches.NAME, batches);
    return all;
  }

  static CustomTaskMetric[] valuesOfGroups(long groups, long waitedNanos, ResourceMetrics server) {
    return new CustomTaskMetric[] {
      new Value(Rows.NAME, groups),
      new Value(
          BytesRead.NAME,
          server.getMetric("cfile_cache_hit_bytes") + server.getMetric("cfile_cache_miss_bytes")),
      new Value(WaitTime.NAME, TimeUnit.NANOSECONDS.toMillis(waitedNanos)),
      new Value(
          ServerTime.NAME, TimeUnit.NANOSECONDS.toMillis(server.getMetric("total_duration_nanos")))
    };
  }

  private record Value(String name, long value) implements CustomTaskMetric {}

  /**
   * A metric that is summed over tasks. The subclasses are public because Spark creates them by
   * name.
   */
  private abstract static class Sum extends CustomSumMetric {
    private final String name;
    private final String description;

    Sum(String name, String description) {
      this.name = name;
      this.description = description;
    }

    @Override
    public final String name() {
      return name;
    }

    @Override
    public final String description() {
      return description;
    }

    @Override
    public final String aggregateTaskMetrics(long[] values) {
      return String.format("%,d", Arrays.stream(values).sum());
    }
  }

  public static final class Rows extends Sum {
    static final String NAME = "kuduRowsReturned";

    public Rows() {
      super(NAME, "rows returned by Kudu");
    }
  }

  public static final class Batches extends Sum {
    static final String NAME = "kuduBatches";

    public Batches() {
      super(NAME, "batches returned by Kudu");
    }
  }

  public static final class BytesRead extends Sum {
    static final String NAME = "kuduBytesRead";

    public BytesRead() {
      super(NAME, "bytes that Kudu's servers read from files and cache");
    }
  }

  public static final class WaitTime extends Sum {
    static final String NAME = "kuduWaitMillis";

    public WaitTime() {
      super(NAME, "milliseconds that tasks waited for Kudu");
    }
  }

  public static final class ServerTime extends Sum {
    static final String NAME = "kuduServerMillis";

    public ServerTime() {
      super(NAME, "milliseconds that Kudu's servers worked");
    }
  }
}
