package dev.kudu4j.tools.transaction;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints a transaction and its participants, which are the tablets with rows of it. */
@Command(
    name = "show",
    description = "Prints a transaction, and the tablets that have rows of it.",
    footer = {
      "  kudu txn show 17",
      "  kudu txn show 17 --format=csv --columns=state,participant_tablet_id"
    })
final class ShowTransactionVerb extends ClusterVerb {
  @Parameters(
      paramLabel = TransactionArgument.LABEL,
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN[,COLUMN]",
      description =
          "Prints one list of these columns, with a row for each tablet: ${COMPLETION-CANDIDATES}.")
  private List<TransactionColumn> wanted = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description =
          "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}. All but pretty print one list, with a"
              + " row for each tablet.")
  private ListFormat format;

  @Override
  public Integer call() throws IOException {
    TransactionArgument argument = TransactionArgument.of(arguments);
    try (ClusterCalls calls = cluster().connect(argument.target().masters());
        KuduClient client = cluster().client(calls.masters())) {
      StoredTransactions transactions = StoredTransactions.open(client);
      StoredTransaction transaction = transactions.get(argument.id());
      List<Participant> participants =
          ParticipantLocations.of(transactions.participants(argument.id()), calls);
      if (format == ListFormat.pretty && wanted.isEmpty()) {
        printBoth(transaction, participants);
      } else {
        printJoined(transaction, participants);
      }
    }
    return DONE;
  }

  private void printBoth(StoredTransaction transaction, List<Participant> participants) {
    print(TransactionColumn.OF_TRANSACTION, transaction, Stream.of(Optional.empty()));
    say("");
    if (participants.isEmpty()) {
      say("No tablet has rows of the transaction");
      return;
    }
    print(TransactionColumn.OF_PARTICIPANT, transaction, participants.stream().map(Optional::of));
  }

  /** A transaction without participants has one row. */
  private void printJoined(StoredTransaction transaction, List<Participant> participants) {
    print(
        wanted.isEmpty() ? TransactionColumn.OF_BOTH : wanted,
        transaction,
        participants.isEmpty()
            ? Stream.of(Optional.empty())
            : participants.stream().map(Optional::of));
  }

  private void print(
      List<TransactionColumn> columns,
      StoredTransaction transaction,
      Stream<Optional<Participant>> rows) {
    try (ListPrinter list = format.open(TransactionColumn.titles(columns), out())) {
      rows.forEach(
          participant -> list.row(TransactionColumn.row(columns, transaction, participant)));
    }
  }
}
