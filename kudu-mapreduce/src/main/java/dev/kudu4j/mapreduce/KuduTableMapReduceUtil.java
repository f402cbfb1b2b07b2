package dev.kudu4j.mapreduce;

import dev.kudu4j.client.ColumnRangePredicate;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.util.HybridTimeUtil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Configures jobs that read and write tables.
 *
 * <pre>{@code
 * new TableInputFormatConfigurator(job, "flights", "carrier,dep_delay", "master:7051").configure();
 * new TableOutputFormatConfigurator(job, "delays", "master:7051").configure();
 * }</pre>
 */
public final class KuduTableMapReduceUtil {
  private KuduTableMapReduceUtil() {}

  // ---------------------------------------------------------------- configurators

  /**
   * Base class of all configurators.
   *
   * @param <S> the configurator itself
   */
  abstract static class AbstractMapReduceConfigurator<S> {
    final Job job;
    final String table;
    boolean addDependencies = true;

    AbstractMapReduceConfigurator(Job job, String table) {
      this.job = job;
      this.table = Objects.requireNonNull(table, "table");
    }

    @SuppressWarnings("unchecked")
    S self() {
      return (S) this;
    }

    /**
     * Whether the job distributes this module and the client to its tasks, so Hadoop's nodes need
     * not have them; true by default. See {@link KuduTableMapReduceUtil#addDependencyJars(Job)}.
     */
    public S addDependencies(boolean add) {
      this.addDependencies = add;
      return self();
    }

    /** Writes the settings into the job. Call it last. */
    public abstract void configure() throws IOException;

    void finish() throws IOException {
      if (addDependencies) {
        addDependencyJars(job);
      }
    }
  }

  /** Base class of the configurators of inputs. */
  abstract static class AbstractTableInputFormatConfigurator<
          S extends AbstractTableInputFormatConfigurator<? super S>>
      extends AbstractMapReduceConfigurator<S> {
    private final String columnProjection; // null for all columns
    private final List<KuduPredicate> predicates = new ArrayList<>();

    AbstractTableInputFormatConfigurator(Job job, String table, String columnProjection) {
      super(job, table);
      this.columnProjection = columnProjection;
    }

    /** Adds a predicate, which servers evaluate; rows must satisfy all predicates. */
    public S addPredicate(KuduPredicate predicate) {
      predicates.add(predicate);
      return self();
    }

    /**
     * Adds a predicate that selects a range of values.
     *
     * @deprecated in favour of {@link #addPredicate}
     */
    @Deprecated
    public S addColumnRangePredicate(ColumnRangePredicate predicate) {
      return addPredicate(predicate.toKuduPredicate());
    }

    /** See {@link KuduTableInputFormat#SCAN_CACHE_BLOCKS}. */
    public S cacheBlocks(boolean cacheBlocks) {
      conf().setBoolean(KuduTableInputFormat.SCAN_CACHE_BLOCKS, cacheBlocks);
      return self();
    }

    /** See {@link KuduTableInputFormat#FAULT_TOLERANT_SCAN}. */
    public S isFaultTolerant(boolean isFaultTolerant) {
      conf().setBoolean(KuduTableInputFormat.FAULT_TOLERANT_SCAN, isFaultTolerant);
      return self();
    }

    /** See {@link KuduTableInputFormat#SPLIT_SIZE_BYTES_KEY}. */
    public S splitSizeBytes(long bytes) {
      conf().setLong(KuduTableInputFormat.SPLIT_SIZE_BYTES_KEY, bytes);
      return self();
    }

    /**
     * See {@link KuduTableInputFormat#SNAPSHOT_TIMESTAMP_KEY}: a timestamp from a client's {@code
     * getLastPropagatedTimestamp}, or the snapshot of another job.
     */
    public S snapshotTimestampRaw(long hybridTime) {
      conf().setLong(KuduTableInputFormat.SNAPSHOT_TIMESTAMP_KEY, hybridTime);
      return self();
    }

    /** The snapshot to read, in microseconds since the epoch. */
    public S snapshotTimestampMicros(long micros) {
      return snapshotTimestampRaw(HybridTimeUtil.physicalAndLogicalToHTTimestamp(micros, 0));
    }

    Configuration conf() {
      return job.getConfiguration();
    }

    void configure(String masterAddresses, long operationTimeoutMs) throws IOException {
      job.setInputFormatClass(KuduTableInputFormat.class);
      conf().set(KuduTableInputFormat.INPUT_TABLE_KEY, table);
      conf().set(KuduTableInputFormat.MASTER_ADDRESSES_KEY, masterAddresses);
      conf().setLong(KuduTableInputFormat.OPERATION_TIMEOUT_MS_KEY, operationTimeoutMs);
      if (columnProjection != null) {
        conf().set(KuduTableInputFormat.COLUMN_PROJECTION_KEY, columnProjection);
      }
      if (!predicates.isEmpty()) {
        byte[] bytes = KuduPredicate.serialize(predicates);
        conf()
            .set(
                KuduTableInputFormat.ENCODED_PREDICATES_KEY,
                Base64.getEncoder().encodeToString(bytes));
      }
      finish();
    }
  }

  /** Makes a table the input of a job. */
  public static class TableInputFormatConfigurator
      extends AbstractTableInputFormatConfigurator<TableInputFormatConfigurator> {
    private final String masterAddresses;
    private long operationTimeoutMs = CommandLineParser.OPERATION_TIMEOUT_MS_DEFAULT;

    /**
     * @param columnProjection names of columns separated by commas; {@code *} or null for all,
     *     empty for rows without cells, for counting
     * @param masterAddresses {@code host:port}, separated by commas
     */
    public TableInputFormatConfigurator(
        Job job, String table, String columnProjection, String masterAddresses) {
      super(job, table, columnProjection);
      this.masterAddresses = Objects.requireNonNull(masterAddresses, "masterAddresses");
    }

    /** See {@link KuduTableInputFormat#OPERATION_TIMEOUT_MS_KEY}. */
    public TableInputFormatConfigurator operationTimeoutMs(long timeoutMs) {
      this.operationTimeoutMs = timeoutMs;
      return this;
    }

    @Override
    public void configure() throws IOException {
      configure(masterAddresses, operationTimeoutMs);
    }
  }

  /** Makes a table the input of a job whose command line specifies the cluster. */
  public static class TableInputFormatConfiguratorWithCommandLineParser
      extends AbstractTableInputFormatConfigurator<
          TableInputFormatConfiguratorWithCommandLineParser> {
    /**
     * @param columnProjection as in {@link TableInputFormatConfigurator}
     */
    public TableInputFormatConfiguratorWithCommandLineParser(
        Job job, String table, String columnProjection) {
      super(job, table, columnProjection);
    }

    @Override
    public void configure() throws IOException {
      CommandLineParser line = new CommandLineParser(conf());
      configure(line.getMasterAddresses(), line.getOperationTimeoutMs());
    }
  }

  /** Base class of the configurators of outputs. */
  abstract static class AbstractTableOutputFormatConfigurator<
          S extends AbstractTableOutputFormatConfigurator<? super S>>
      extends AbstractMapReduceConfigurator<S> {
    AbstractTableOutputFormatConfigurator(Job job, String table) {
      super(job, table);
    }

    /** See {@link KuduTableOutputFormat#IGNORE_DUPLICATES_KEY}. */
    public S ignoreDuplicates(boolean ignore) {
      job.getConfiguration().setBoolean(KuduTableOutputFormat.IGNORE_DUPLICATES_KEY, ignore);
      return self();
    }

    /** See {@link KuduTableOutputFormat#IGNORE_MISSING_KEY}. */
    public S ignoreMissing(boolean ignore) {
      job.getConfiguration().setBoolean(KuduTableOutputFormat.IGNORE_MISSING_KEY, ignore);
      return self();
    }

    /** See {@link KuduTableOutputFormat#BUFFER_ROW_COUNT_KEY}. */
    public S bufferRowCount(int rows) {
      job.getConfiguration().setInt(KuduTableOutputFormat.BUFFER_ROW_COUNT_KEY, rows);
      return self();
    }

    /**
     * Writes the settings into the job. Disables speculative execution: without a commit, two
     * concurrent attempts of a task would write the same rows twice.
     */
    void configure(String masterAddresses, long operationTimeoutMs) throws IOException {
      Configuration conf = job.getConfiguration();
      job.setOutputFormatClass(KuduTableOutputFormat.class);
      job.setOutputKeyClass(NullWritable.class);
      job.setOutputValueClass(dev.kudu4j.client.Operation.class);
      job.setSpeculativeExecution(false);
      conf.set(KuduTableOutputFormat.OUTPUT_TABLE_KEY, table);
      conf.set(KuduTableOutputFormat.MASTER_ADDRESSES_KEY, masterAddresses);
      conf.setLong(KuduTableOutputFormat.OPERATION_TIMEOUT_MS_KEY, operationTimeoutMs);
      finish();
    }
  }

  /** Makes a table the output of a job. */
  public static class TableOutputFormatConfigurator
      extends AbstractTableOutputFormatConfigurator<TableOutputFormatConfigurator> {
    private final String masterAddresses;
    private long operationTimeoutMs = CommandLineParser.OPERATION_TIMEOUT_MS_DEFAULT;

    /**
     * @param masterAddresses {@code host:port}, separated by commas
     */
    public TableOutputFormatConfigurator(Job job, String table, String masterAddresses) {
      super(job, table);
      this.masterAddresses = Objects.requireNonNull(masterAddresses, "masterAddresses");
    }

    /** See {@link KuduTableOutputFormat#OPERATION_TIMEOUT_MS_KEY}. */
    public TableOutputFormatConfigurator operationTimeoutMs(long timeoutMs) {
      this.operationTimeoutMs = timeoutMs;
      return this;
    }

    @Override
    public void configure() throws IOException {
      configure(masterAddresses, operationTimeoutMs);
    }
  }

  /** Makes a table the output of a job whose command line specifies the cluster. */
  public static class TableOutputFormatConfiguratorWithCommandLineParser
      extends AbstractTableOutputFormatConfigurator<
          TableOutputFormatConfiguratorWithCommandLineParser> {
    public TableOutputFormatConfiguratorWithCommandLineParser(Job job, String table) {
      super(job, table);
    }

    @Override
    public void configure() throws IOException {
      CommandLineParser line = new CommandLineParser(job.getConfiguration());
      configure(line.getMasterAddresses(), line.getOperationTimeoutMs());
    }
  }

  // ---------------------------------------------------------------- in tasks

  /**
   * The output table of a task, for creating operations: call it in {@code setup}.
   *
   * @throws IllegalStateException in a task that does not write to a table, such as a mapper of a
   *     job with reducers
   */
  public static KuduTable getTableFromContext(TaskInputOutputContext<?, ?, ?, ?> context) {
    KuduTable table =
        OpenTables.get(context.getConfiguration().get(KuduTableOutputFormat.MULTITON_KEY));
    if (table == null) {
      throw new IllegalStateException(
          "Task "
              + context.getTaskAttemptID()
              + " does not write to a table. Reducers do, and mappers of jobs without"
              + " reducers (job.setNumReduceTasks(0)), if the job was configured with"
              + " TableOutputFormatConfigurator");
    }
    return table;
  }

  // ---------------------------------------------------------------- identity

  /** Gives the job's tasks the credentials of {@code client}. */
  public static void addCredentialsToJob(KuduClient client, Job job) throws KuduException {
    JobCredentials.exportFrom(client, job.getCredentials());
  }

  /** Gives a client that a task created the credentials that {@link #addCredentialsToJob} added. */
  public static void importCredentialsFromCurrentSubject(KuduClient client) {
    try {
      JobCredentials.importInto(client, UserGroupInformation.getCurrentUser().getCredentials());
    } catch (IOException e) {
      throw new UncheckedIOException("Hadoop cannot determine the current user", e);
    }
  }

  // ---------------------------------------------------------------- jars

  /**
   * Adds the dependencies of tasks to the job: the jars of this module, the client and its
   * libraries, and those of the job's own classes. Hadoop distributes them to the nodes.
   */
  public static void addDependencyJars(Job job) throws IOException {
    addKuduDependencyJars(job.getConfiguration());
    try {
      addDependencyJars(
          job.getConfiguration(),
          job.getInputFormatClass(),
          job.getMapperClass(),
          job.getMapOutputKeyClass(),
          job.getMapOutputValueClass(),
          job.getCombinerClass(),
          job.getPartitionerClass(),
          job.getReducerClass(),
          job.getOutputKeyClass(),
          job.getOutputValueClass(),
          job.getOutputFormatClass());
    } catch (ClassNotFoundException e) {
      throw new IOException(
          "The job refers to a class that cannot be found: "
              + e.getMessage()
              + "; add its jar to the job",
          e);
    }
  }

  /** Adds the jars that contain the classes, except those of Hadoop and the JDK. */
  public static void addDependencyJars(Configuration conf, Class<?>... classes) throws IOException {
    DependencyJars jars = new DependencyJars();
    for (Class<?> type : classes) {
      jars.add(type);
    }
    jars.addTo(conf);
  }

  /** Adds the jars of this module, the client and its libraries. */
  public static void addKuduDependencyJars(Configuration conf) throws IOException {
    DependencyJars jars = new DependencyJars();
    jars.addClient();
    jars.addTo(conf);
  }
}
