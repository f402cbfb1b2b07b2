package dev.kudu4j.tools.transaction;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists transactions. */
@Command(
    name = "list",
    description = "Lists transactions, by default those that have not ended.",
    footer = {
      "  kudu txn list",
      "  kudu txn list --included_states=open --columns=txn_id,user,start_datetime",
      "  kudu txn list 127.0.0.1:7051 --included_states='*' --min_txn_id=1000 --format=csv"
    })
final class ListTransactionsVerb extends ClusterVerb {
  private static final long NO_BOUND = -1;

  @Parameters(
      paramLabel = "[MASTERS]",
      arity = "0..1",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--included_states",
      split = ",",
      paramLabel = "STATE[,STATE]",
      defaultValue = "open,abort_in_progress,commit_in_progress,finalize_in_progress",
      description = {
        "Only transactions in these states, which may also be aborted and committed; * for all.",
        "Default ${DEFAULT-VALUE}."
      })
  private List<String> states;

  @Option(
      names = "--min_txn_id",
      paramLabel = "ID",
      defaultValue = "-1",
      description = "Only this transaction and later ones.")
  private long min;

  @Option(
      names = "--max_txn_id",
      paramLabel = "ID",
      defaultValue = "-1",
      description = "Only this transaction and earlier ones.")
  private long max;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      defaultValue = "txn_id,user,state,commit_datetime,start_datetime,last_transition_datetime",
      description = "Columns; default ${DEFAULT-VALUE}. commit_hybridtime is another one.")
  private List<TransactionColumn> columns;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments);
    StateFilter filter = StateFilter.of(states);
    checkColumns();
    try (ClusterCalls calls = cluster().connect(target.masters());
        KuduClient client = cluster().client(calls.masters())) {
      Optional<StoredTransactions> transactions = StoredTransactions.find(client);
      try (ListPrinter list = format.open(TransactionColumn.titles(columns), out())) {
        if (transactions.isPresent()) {
          list(transactions.get(), filter, list);
        }
      }
      if (transactions.isEmpty()) {
        err().println(StoredTransactions.NONE);
      }
    }
    return DONE;
  }

  private void checkColumns() {
    for (TransactionColumn column : columns) {
      if (column.isOfParticipant()) {
        throw KuduException.invalidArgument(
            "--columns: kudu txn show prints %s, of one transaction", column);
      }
    }
  }

  private void list(StoredTransactions transactions, StateFilter filter, ListPrinter list)
      throws IOException {
    transactions.read(
        Math.max(min, 0),
        max == NO_BOUND ? Long.MAX_VALUE : max,
        transaction -> {
          if (filter.includes(transaction)) {
            list.row(TransactionColumn.row(columns, transaction, Optional.empty()));
          }
        });
  }
}
