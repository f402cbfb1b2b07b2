package dev.kudu4j.mapreduce;

import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowErrorsAndOverflowStatus;
import dev.kudu4j.client.Status;

/** The error message for rejected rows: their number, the first errors, and hints. */
final class RefusedRows {
  private static final int SHOWN = 5;

  private RefusedRows() {}

  static String message(OutputSettings settings, RowErrorsAndOverflowStatus refused) {
    RowError[] errors = refused.getRowErrors();
    StringBuilder text = new StringBuilder(refused.isOverflowed() ? "More than " : "");
    text.append(errors.length).append(errors.length == 1 ? " row was" : " rows were");
    text.append(" not written to table '").append(settings.table());
    text.append("' of ").append(settings.cluster().masters()).append(':');
    for (int i = 0; i < Math.min(SHOWN, errors.length); i++) {
      text.append("\n  ").append(errors[i].getOperation());
      text.append(": ").append(errors[i].getErrorStatus());
    }
    if (errors.length > SHOWN) {
      text.append("\n  ...");
    }
    return text.append(remedy(errors[0].getErrorStatus())).toString();
  }

  private static String remedy(Status first) {
    if (first.isAlreadyPresent()) {
      return "\nA retried task finds its own rows: upsert instead of inserting, or set "
          + KuduTableOutputFormat.IGNORE_DUPLICATES_KEY;
    }
    if (first.isNotFound()) {
      return "\nTo ignore missing rows of updates and deletes, set "
          + KuduTableOutputFormat.IGNORE_MISSING_KEY;
    }
    if (first.isTimedOut()) {
      return "\nFor a busy cluster, set a longer "
          + KuduTableOutputFormat.OPERATION_TIMEOUT_MS_KEY
          + ", or run fewer tasks at the same time";
    }
    return "";
  }
}
