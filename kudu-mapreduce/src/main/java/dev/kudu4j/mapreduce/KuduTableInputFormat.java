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
 * <p>All mappers read one snapshot, chosen when the job is submitted: what is written afterwards,
 * by the job or by others, is not seen, and a task that is run again reads the same rows. A split
 * is a tablet, or a part of one that weighs about {@link #SPLIT_SIZE_BYTES_KEY}; its locations are
 * the hosts of the tablet's replicas, and a mapper reads the closest one.
 *
 * <p>A {@link RowResult} is valid until the mapper asks for the next one: it is the same object
 * each time. Who keeps rows copies their cells.
 */
public class KuduTableInputFormat extends InputFormat<NullWritable, RowResult>
    implements Configurable {
  /** The table to read. */
  public static final String INPUT_TABLE_KEY = "kudu.mapreduce.input.table";

  /** The masters, {@code host:port} separated by commas; without it those of the output. */
  public static final String MASTER_ADDRESSES_KEY = "kudu.mapreduce.master.address";

  /** How long an operation may take, retries included; 30000. */
  public static final String OPERATION_TIMEOUT_MS_KEY = "kudu.mapreduce.operation.timeout.ms";

  /**
   * The columns to read, separated by commas: all, if it is {@code *} or not set; none, if empty.
   */
  public static final String COLUMN_PROJECTION_KEY = "kudu.mapreduce.column.projection";

  /** Conditions on rows, in a form of the configurator's. */
  public static final String ENCODED_PREDICATES_KEY = "kudu.mapreduce.encoded.predicates";

  /** Whether servers keep in their cache what the job reads; false. */
  public static final String SCAN_CACHE_BLOCKS = "kudu.mapreduce.input.scan.cache.blocks";

  /**
   * Whether a mapper goes on at another replica when it loses a server, in place of failing and
   * being run again. Rows then come ordered by key within a split, which costs servers more; false.
   */
  public static final String FAULT_TOLERANT_SCAN = "kudu.mapreduce.input.fault.tolerant.scan";

  /**
   * What a split weighs, in bytes of the columns read as they are stored; 134217728. 0 makes one
   * split of each tablet.
   */
  public static final String SPLIT_SIZE_BYTES_KEY = "kudu.mapreduce.input.split.size.bytes";

  /** How often a mapper that is slow renews its scanner at the server; 15000. */
  public static final String KEEP_ALIVE_PERIOD_MS_KEY = "kudu.mapreduce.input.keep.alive.period.ms";

  /** The snapshot to read, as a hybrid time of the cluster; without it, the present. */
  public static final String SNAPSHOT_TIMESTAMP_KEY = "kudu.mapreduce.input.snapshot.timestamp";

  /**
   * Where a submitted job's configuration says which snapshot it reads; for tasks, and for a second
   * job that is to read the same.
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
   * @throws IOException when the cluster cannot be reached, or the job names a table or a column
   *     that it does not have
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

  /** The reader of one split; Hadoop initializes it. */
  @Override
  public RecordReader<NullWritable, RowResult> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new KuduRecordReader();
  }
}
