package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import java.io.IOException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * A table as the output of a job; configure it with {@link
 * KuduTableMapReduceUtil.TableOutputFormatConfigurator}.
 *
 * <p>Tasks emit operations (inserts, upserts, updates, deletes) of the table that {@link
 * KuduTableMapReduceUtil#getTableFromContext} returns. A rejected row fails the task.
 *
 * <p>There is no commit: the writes of a task are visible immediately, and remain if the task fails
 * and is retried. A job should therefore emit idempotent operations: upserts, updates, or inserts
 * and deletes with {@link #IGNORE_DUPLICATES_KEY} and {@link #IGNORE_MISSING_KEY}.
 */
public class KuduTableOutputFormat extends OutputFormat<NullWritable, Operation>
    implements Configurable {
  /** The output table. */
  public static final String OUTPUT_TABLE_KEY = "kudu.mapreduce.output.table";

  /**
   * The masters, {@code host:port} separated by commas; the default is the masters of the input.
   */
  public static final String MASTER_ADDRESSES_KEY = "kudu.mapreduce.master.addresses";

  /** Timeout of an operation in milliseconds, including retries; 30000 by default. */
  public static final String OPERATION_TIMEOUT_MS_KEY =
      KuduTableInputFormat.OPERATION_TIMEOUT_MS_KEY;

  /** Number of operations per batch; 1000 by default. */
  public static final String BUFFER_ROW_COUNT_KEY = "kudu.mapreduce.buffer.row.count";

  /** Whether inserts of existing rows succeed; false by default. */
  public static final String IGNORE_DUPLICATES_KEY = "kudu.mapreduce.output.ignore.duplicates";

  /** Whether updates and deletes of missing rows succeed; false by default. */
  public static final String IGNORE_MISSING_KEY = "kudu.mapreduce.output.ignore.missing";

  /**
   * Configuration key of a task. Its value is the name of the task's table in {@link OpenTables}.
   */
  static final String MULTITON_KEY = "kudu.mapreduce.multitonkey";

  /** Counters of writers. */
  public enum Counters {
    /** Rows that the cluster rejected. */
    ROWS_WITH_ERRORS
  }

  private Configuration conf;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  private OutputSettings settings(JobContext job) throws IOException {
    return OutputSettings.of(conf == null ? job.getConfiguration() : conf);
  }

  private static TableConnection open(OutputSettings settings, JobContext job) throws IOException {
    return TableConnection.open(
        settings.cluster(), settings.table(), job.getCredentials(), OUTPUT_TABLE_KEY);
  }

  /**
   * The table of a running task, by the name in the task's configuration; null if the name is
   * unknown. {@link KuduTableMapReduceUtil#getTableFromContext} needs no name.
   */
  public static KuduTable getKuduTable(String multitonKey) {
    return OpenTables.get(multitonKey);
  }

  /** Connects the task to the cluster. */
  @Override
  public RecordWriter<NullWritable, Operation> getRecordWriter(TaskAttemptContext task)
      throws IOException {
    OutputSettings settings = settings(task);
    TableConnection connection = open(settings, task);
    String name = OpenTables.put(task.getTaskAttemptID(), connection.table());
    task.getConfiguration().set(MULTITON_KEY, name);
    return new KuduRecordWriter(settings, connection, name);
  }

  /**
   * Checks that the table exists before the job runs.
   *
   * @throws IOException if the cluster cannot be reached, or does not have the table
   */
  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    open(settings(job), job).close();
  }

  @Override
  public OutputCommitter getOutputCommitter(TaskAttemptContext task) {
    return new KuduTableOutputCommitter();
  }
}
