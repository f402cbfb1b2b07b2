package dev.kudu4j.tools.transaction;

import dev.kudu4j.tools.console.FlagSpelling;
import picocli.CommandLine.Command;

/** The verbs for transactions. */
@Command(
    name = "txn",
    description = "Lists, shows and aborts transactions.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      ListTransactionsVerb.class,
      ShowTransactionVerb.class,
      AbortTransactionVerb.class
    })
public final class TransactionVerbs {}
