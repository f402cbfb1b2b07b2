package dev.kudu4j.spark.write;

import dev.kudu4j.client.RowError;
import java.io.IOException;

/**
 * The cluster rejected rows. The message contains the errors and their number. There is no stack
 * trace, since Spark repeats the message for every attempt of a task.
 */
public final class RowsRefusedException extends IOException {
  private static final int SHOWN = 5;

  private RowsRefusedException(String message) {
    super(message);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /**
   * @param table the name for users
   * @param errors errors of rows, at least one
   * @param more whether further errors were not kept
   * @param hint advice; may be empty
   */
  static RowsRefusedException of(String table, RowError[] errors, boolean more, String hint) {
    StringBuilder message = new StringBuilder();
    message
        .append(more ? "At least " : "")
        .append(errors.length)
        .append(errors.length == 1 && !more ? " row was" : " rows were")
        .append(" not written to table ")
        .append(table)
        .append('.');
    for (int i = 0; i < Math.min(SHOWN, errors.length); i++) {
      message
          .append("\n  ")
          .append(errors[i].getOperation())
          .append(": ")
          .append(errors[i].getErrorStatus());
    }
    if (errors.length > SHOWN || more) {
      message.append("\n  ... and others");
    }
    if (!hint.isEmpty()) {
      message.append("\n").append(hint);
    }
    return new RowsRefusedException(message.toString());
  }
}
