package dev.kudu4j.spark.sql;

/** A statement in Spark's syntax. */
public sealed interface Translation {
  /** A statement that Spark's parser understands entirely. */
  record Text(String text) implements Translation {}

  /**
   * An INSERT.
   *
   * @param operation the value of the option {@code kudu.operation}
   */
  record Write(String text, String operation) implements Translation {}

  /**
   * A CREATE TABLE AS SELECT.
   *
   * @param text the statement without partitions and properties, but with its query where it was
   * @param definition a CREATE TABLE without columns, with the partitions and properties
   */
  record CreateAsSelect(String text, String definition) implements Translation {}
}
