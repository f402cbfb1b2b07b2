package dev.kudu4j.tools.transaction;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.Target;
import java.util.List;

/** The arguments of a verb for one transaction. */
record TransactionArgument(Target target, long id) {
  static final String LABEL = "[MASTERS] TXN_ID";

  /**
   * @throws KuduException INVALID_ARGUMENT if the id is not a number
   */
  static TransactionArgument of(List<String> given) {
    Target target = Target.of(given, "TXN_ID");
    String id = target.argument(0);
    try {
      return new TransactionArgument(target, Long.parseLong(id));
    } catch (NumberFormatException e) {
      throw KuduException.invalidArgument(
          "'%s' is not the id of a transaction, which is a number; kudu txn list lists them", id);
    }
  }
}
