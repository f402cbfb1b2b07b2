package dev.kudu4j.benchmarks.spark.session;

import dev.kudu4j.benchmarks.spark.WorkerSettings;
import dev.kudu4j.benchmarks.worker.Worker;
import java.io.IOException;
import java.util.function.BiFunction;
import org.apache.spark.sql.SparkSession;

/** The life of Spark's process: it opens a session, carries out orders, and ends with them. */
public final class SparkProcess {
  private SparkProcess() {}

  /**
   * Runs until there are no more orders, and ends the JVM.
   *
   * @param name name of the application
   * @param arguments as {@link WorkerSettings#toArguments} makes them
   * @param orders makes what carries out the orders in the session
   */
  public static void run(
      String name,
      String[] arguments,
      BiFunction<SparkSession, WorkerSettings, Worker.Orders> orders)
      throws IOException {
    Worker worker = Worker.start();
    WorkerSettings settings = WorkerSettings.parse(arguments);
    SparkSession spark = Session.open(name, settings);
    worker.serve(orders.apply(spark, settings));
    spark.stop();
    System.exit(0); // even if Spark threads are still running
  }
}
