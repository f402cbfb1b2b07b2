package dev.kudu4j.spark.sql;

import java.util.List;
import java.util.Optional;

/**
 * One of Impala's statements, recognized by its first words. It may still be wrong: only {@link
 * #translate} reads all of it, after the caller knows that the table is ours.
 */
public interface Statement {
  /** The parts of the table's name. */
  List<String> table();

  /**
   * The statement in Spark's syntax.
   *
   * @throws SqlException if the statement is wrong
   */
  Translation translate(ConstantEvaluator constants);

  /** The statement of a string; empty for everything that only Spark can understand. */
  static Optional<Statement> find(String text) {
    return new StatementFinder(text).find();
  }
}
