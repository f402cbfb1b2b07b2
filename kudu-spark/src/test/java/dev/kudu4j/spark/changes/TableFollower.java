package dev.kudu4j.spark.changes;

import static org.apache.spark.sql.functions.callUDF;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.struct;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;

/**
 * Two streams of the changes of the table {@code source}. Both go on from their checkpoints, and
 * now and then one of their tasks fails and is attempted again:
 *
 * <pre>
 *   source$changes --> upsert or delete of the last row of each key --> copy
 *                  --> insert of each change, one transaction a batch --> log
 * </pre>
 *
 * <p>A batch that is repeated writes the same rows to {@code copy} again. To insert a change into
 * {@code log} again would be an error.
 */
final class TableFollower {
  /** Of the rows that first attempts of tasks read, one of so many fails its task. */
  private static final int ROWS_BETWEEN_FAILURES = 500;

  private static final AtomicLong ROWS = new AtomicLong();

  private final SparkSession spark;
  private final String namespace;
  private final Path checkpoints;
  private final Trigger trigger;
  private final int maxChanges;
  private final Consumer<String> events;
  private StreamingQuery copy;
  private StreamingQuery log;

  /**
   * @param namespace of the tables, with the catalog
   * @param checkpoints their directory
   * @param maxChanges of a batch
   * @param events receives a word when a stream has come to another point of a batch
   */
  TableFollower(
      SparkSession spark,
      String namespace,
      Path checkpoints,
      Trigger trigger,
      int maxChanges,
      Consumer<String> events) {
    this.spark = spark;
    this.namespace = namespace;
    this.checkpoints = checkpoints;
    this.trigger = trigger;
    this.maxChanges = maxChanges;
    this.events = events;
    spark
        .udf()
        .register(
            "fail_sometimes", (UDF1<Long, Long>) TableFollower::failSometimes, DataTypes.LongType);
  }

  private static Long failSometimes(Long value) {
    TaskContext task = TaskContext.get();
    if (task != null
        && task.attemptNumber() == 0
        && ROWS.incrementAndGet() % ROWS_BETWEEN_FAILURES == 0) {
      throw new IllegalStateException("A task fails, as planned");
    }
    return value;
  }

  void start() throws Exception {
    copy = startCopy();
    log = startLog();
  }

  /** Waits until both streams have ended. A stream whose trigger has no end never does. */
  void await() throws Exception {
    while (true) {
      try {
        log.awaitTermination();
        break;
      } catch (StreamingQueryException e) {
        startLogAfter(e);
      }
    }
    copy.awaitTermination();
  }

  /**
   * Starts the log again if its batch met the transaction of the previous follower, which servers
   * abort after some seconds, or if they have aborted its own, since the machine is slow.
   */
  private void startLogAfter(StreamingQueryException failure) throws Exception {
    if (!isOfTransaction(failure)) {
      throw failure;
    }
    events.accept("starts the log again");
    log = startLog();
  }

  private static boolean isOfTransaction(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("earlier run of the stream")
          || message.contains("holds the key of a row")
          || message.contains("was aborted, nothing is written")) {
        return true;
      }
    }
    return false;
  }

  /** Stops both streams, wherever they are. */
  void stop() throws Exception {
    log.stop();
    copy.stop();
  }

  private Dataset<Row> changes() {
    return spark
        .readStream()
        .option("kudu.changesFrom", "beginning")
        .option("kudu.maxChangesPerTrigger", maxChanges)
        .table(namespace + ".`source$changes`")
        .withColumn("v", callUDF("fail_sometimes", col("v")));
  }

  private StreamingQuery startCopy() throws Exception {
    return changes()
        .writeStream()
        .option("checkpointLocation", checkpoints.resolve("copy").toString())
        .trigger(trigger)
        .foreachBatch((VoidFunction2<Dataset<Row>, Long>) (batch, number) -> copy(batch))
        .start();
  }

  private void copy(Dataset<Row> batch) throws Exception {
    events.accept("copies");
    Dataset<Row> last =
        batch
            .where("_change_type <> 'update_preimage'")
            .groupBy("id")
            .agg(max_by(struct("_change_type", "v", "name"), col("_commit_version")).as("last"))
            .select("id", "last.*")
            .persist();
    last.where("_change_type <> 'delete'")
        .select("id", "v", "name")
        .writeTo(namespace + ".copy")
        .append();
    events.accept("has upserted");
    last.where("_change_type = 'delete'")
        .select("id")
        .writeTo(namespace + ".copy")
        .option("kudu.operation", "delete_ignore")
        .append();
    last.unpersist();
    events.accept("has copied");
  }

  private StreamingQuery startLog() throws Exception {
    events.accept("logs");
    return changes()
        .selectExpr("_commit_version version", "id", "_change_type type", "v", "name")
        .writeStream()
        .option("checkpointLocation", checkpoints.resolve("log").toString())
        .option("kudu.operation", "insert")
        .option("kudu.atomic", "true")
        .trigger(trigger)
        .toTable(namespace + ".log");
  }

  /** How the streams are. */
  @Override
  public String toString() {
    return "copy: " + copy.exception() + ", log: " + log.exception();
  }
}
