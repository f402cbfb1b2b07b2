package dev.kudu4j.spark.sql;

/** A statement is wrong: where, and what to write instead. */
public final class SqlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;
  private final String near;

  /**
   * @param line number of the line, from 1
   * @param column number of the column, from 0
   * @param near the text at the position
   * @param reason what is wrong, and what the user can do
   */
  public SqlException(int line, int column, String near, String reason) {
    super(reason);
    this.line = line;
    this.column = column;
    this.near = near;
  }

  /** The line, from 1. */
  public int line() {
    return line;
  }

  /** The position in the line, from 0. */
  public int column() {
    return column;
  }

  /** The text at the position, in quotes, or "end of input". */
  public String near() {
    return near;
  }
}
