package dev.kudu4j.mapreduce;

import dev.kudu4j.client.RowResult;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a table as the input of a job; configure it with {@link
 * KuduTableMapReduceUtil.TableInputFormatConfigurator}.
 *
 * <p>All mappers read one snapshot, chosen when the job is submitted: later writes, by the job or
 * by others, are not visible, and a retried task reads the same rows. A split is a tablet, or a
 * part of one with about {@link #SPLIT_SIZE_BYTES_KEY} bytes. Its locations are the hosts of the
 * tablet's replicas, and a mapper reads the closest replica.
 *
 * <p>A {@link RowResult} is valid until the mapper asks for the next one, because the same object
 * is reused. Code that keeps rows must copy their cells.
 */
public class KuduTableInputFormat extends InputFormat<NullWritable, RowResult>
    implements Configurable {
  /** The input table. */
  public static final String INPUT_TABLE_KEY = "kudu.mapreduce.input.table";

  /**
   * The masters, {@code host:port} separated by commas; the default is the masters of the output.
   */
  public static final String MASTER_ADDRESSES_KEY = "kudu.mapreduce.master.address";

  /** Timeout of an operation in milliseconds, including retries; 30000 by default. */
  public static final String OPERATION_TIMEOUT_MS_KEY = "kudu.mapreduce.operation.timeout.ms";

  /**
   * The columns to read, separated by commas. {@code *} or an unset key selects all columns, empty
   * text none.
   */
  public static final String COLUMN_PROJECTION_KEY = "kudu.mapreduce.column.projection";

  /** Predicates on rows, encoded by the configurator. */
  public static final String ENCODED_PREDICATES_KEY = "kudu.mapreduce.encoded.predicates";

  /** Whether servers cache the pages that the job reads; false by default. */
  public static final String SCAN_CACHE_BLOCKS = "kudu.mapreduce.input.scan.cache.blocks";

  /**
   * Whether a mapper continues on another replica when a server fails, instead of failing and being
   * retried; false by default. If true, rows are ordered by key within a split, which costs servers
   * more.
   */
  public static final String FAULT_TOLERANT_SCAN = "kudu.mapreduce.input.fault.tolerant.scan";

  /**
   * Size of a split, in stored bytes of the columns that are read; 134217728 by default. The value
   * 0 makes one split per tablet.
   */
  public static final String SPLIT_SIZE_BYTES_KEY = "kudu.mapreduce.input.split.size.bytes";

  /**
   * Interval at which a slow mapper renews its scanner on the server, in milliseconds; 15000 by
   * default.
   */
  public static final String KEEP_ALIVE_PERIOD_MS_KEY = "kudu.mapreduce.input.keep.alive.period.ms";

  /** The snapshot to read, as a hybrid time of the cluster; the default is the current time. */
  public static final String SNAPSHOT_TIMESTAMP_KEY = "kudu.mapreduce.input.snapshot.timestamp";

  /**
   * The snapshot that a submitted job reads. {@link #getSplits} sets it, for the job's tasks and
   * for other jobs that must read the same snapshot.
   */
  public static final String CHOSEN_SNAPSHOT_KEY = "kudu.mapreduce.input.snapshot.chosen";

  private static final Logger LOG = LoggerFactory.getLogger(KuduTableInputFormat.class);

  private Configuration conf;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if the cluster cannot be reached, or does not have a table or column of the
   *     job
   */
  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    InputSettings settings = InputSettings.of(conf == null ? job.getConfiguration() : conf);
    try (TableConnection connection =
        TableConnection.open(
            settings.cluster(), settings.table(), job.getCredentials(), INPUT_TABLE_KEY)) {
      OptionalLong snapshot =
          settings.snapshot().isPresent()
              ? settings.snapshot()
              : JobSnapshot.now(connection.client(), connection.table());
      if (snapshot.isEmpty()) {
        return List.of();
      }
      List<InputSplit> splits =
          new SplitPlan(settings, connection).splits(snapshot.getAsLong(), nameOf(job));
      job.getConfiguration().setLong(CHOSEN_SNAPSHOT_KEY, snapshot.getAsLong());
      LOG.info(
          "Reading table {} in {} splits at snapshot {}",
          settings.table(),
          splits.size(),
          snapshot.getAsLong());
      return splits;
    }
  }

  private static String nameOf(JobContext job) {
    return job.getJobID() == null ? job.getJobName() : job.getJobID().toString();
  }

  /** Creates the reader of one split; Hadoop initializes it. */
  @Override
  public RecordReader<NullWritable, RowResult> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new KuduRecordReader();
  }
}
