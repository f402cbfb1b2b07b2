package dev.kudu4j.tools.transaction;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.common.proto.transactions.TxnTokenPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Aborts a transaction. */
@Command(
    name = "abort",
    description = {
      "Aborts a transaction that is not committed: its rows never become visible.",
      "Only the user who began a transaction can abort it."
    },
    footer = "  kudu txn abort 17")
final class AbortTransactionVerb extends ClusterVerb {
  @Parameters(
      paramLabel = TransactionArgument.LABEL,
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() throws IOException {
    TransactionArgument argument = TransactionArgument.of(arguments);
    try (ClusterCalls calls = cluster().connect(argument.target().masters());
        KuduClient client = cluster().client(calls.masters())) {
      abort(StoredTransactions.open(client).get(argument.id()), client);
    }
    say("Transaction " + argument.id() + " is aborted; its rows never become visible");
    return DONE;
  }

  private static void abort(StoredTransaction transaction, KuduClient client) throws IOException {
    byte[] token = TxnTokenPB.newBuilder().setTxnId(transaction.id()).build().toByteArray();
    try (KuduTransaction handle = KuduTransaction.deserialize(token, client.asyncClient())) {
      handle.rollback();
    } catch (dev.kudu4j.client.KuduException e) {
      if (!e.getStatus().isNotAuthorized()) {
        throw e;
      }
      throw new KuduException(
          StatusCode.NOT_AUTHORIZED,
          String.format(
              "Transaction %d belongs to user '%s', who alone can abort it; you are connected as"
                  + " '%s'",
              transaction.id(), transaction.user(), System.getProperty("user.name")),
          e);
    }
  }
}
