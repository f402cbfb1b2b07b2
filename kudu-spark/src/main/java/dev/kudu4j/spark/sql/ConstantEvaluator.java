package dev.kudu4j.spark.sql;

/** Evaluates expressions in the bounds of ranges. */
@FunctionalInterface
public interface ConstantEvaluator {
  /**
   * The value of an expression without columns, as Spark returns it in a row. Timestamps, with and
   * without time zone, are an {@link java.time.OffsetDateTime} in the time zone of the session.
   *
   * @throws Exception if it has no value; the message is the user's
   */
  Object evaluate(String expression) throws Exception;
}
