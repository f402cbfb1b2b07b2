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
 * KuduTableMapReduceUtil#getTableFromContext} gives them. A row that the cluster refuses fails the
 * task.
 *
 * <p>There is no commit: what a task writes can be read at once, and stays when the task fails and
 * is run again. So a job should emit operations that may be done twice: upserts, updates, or
 * inserts and deletes with {@link #IGNORE_DUPLICATES_KEY} and {@link #IGNORE_MISSING_KEY}.
 */
public class KuduTableOutputFormat extends OutputFormat<NullWritable, Operation>
    implements Configurable {
  /** The table to write. */
  public static final String OUTPUT_TABLE_KEY = "kudu.mapreduce.output.table";

  /** The masters, {@code host:port} separated by commas; without it those of the input. */
  public static final String MASTER_ADDRESSES_KEY = "kudu.mapreduce.master.addresses";

  /** How long an operation may take, retries included; 30000. */
  public static final String OPERATION_TIMEOUT_MS_KEY =
      KuduTableInputFormat.OPERATION_TIMEOUT_MS_KEY;

  /** How many operations gather before they are sent; 1000. */
  public static final String BUFFER_ROW_COUNT_KEY = "kudu.mapreduce.buffer.row.count";

  /** Whether inserts of rows that are there already count as done; false. */
  public static final String IGNORE_DUPLICATES_KEY = "kudu.mapreduce.output.ignore.duplicates";

  /** Whether updates and deletes of rows that are not there count as done; false. */
  public static final String IGNORE_MISSING_KEY = "kudu.mapreduce.output.ignore.missing";

  /** Where a task's configuration says under which name its table is found. */
  static final String MULTITON_KEY = "kudu.mapreduce.multitonkey";

  /** What writers count. */
  public enum Counters {
    /** Rows that the cluster refused. */
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
   * The table of a running task, by the name that the task's configuration has; null when there is
   * none. {@link KuduTableMapReduceUtil#getTableFromContext} knows the name.
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
   * Looks whether the table is there before anything runs.
   *
   * @throws IOException when the cluster cannot be reached, or does not have the table
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
