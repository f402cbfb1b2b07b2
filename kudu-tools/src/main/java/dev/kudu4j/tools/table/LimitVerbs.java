package dev.kudu4j.tools.table;

import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.FlagSpelling;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verbs for the limits of a table, which Apache Kudu's masters enforce. */
@Command(
    name = "set_limit",
    description =
        "Sets the limit of a table's size or row count, on masters that enforce" + " limits.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {LimitVerbs.DiskSize.class, LimitVerbs.RowCount.class})
final class LimitVerbs implements Runnable {
  private static final String UNLIMITED = "unlimited";
  private static final long NO_LIMIT = -1;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "A limit is missing: disk_size or row_count");
  }

  /** Base class of verbs that set one limit. */
  abstract static class Limit extends AlterVerb {
    @Parameters(
        paramLabel = "[MASTERS] TABLE LIMIT",
        arity = "2..3",
        hideParamSyntax = true,
        description = Target.HELP)
    private List<String> arguments;

    abstract AlterTableRequestPB.Builder change(long limit);

    /** The name of the limit, for messages. */
    abstract String name();

    @Override
    public final Integer call() throws IOException {
      Target target = Target.of(arguments, "TABLE", "LIMIT");
      String text = target.argument(1).toLowerCase(Locale.ROOT);
      try {
        alterDirectly(
            target,
            change(limit(text)),
            "Table " + target.argument(0) + " has the " + name() + " limit " + text + " now");
      } catch (KuduException e) {
        if (e.code() != StatusCode.NOT_SUPPORTED) {
          throw e;
        }
        throw KuduException.notSupported(
            "The masters %s do not support the limit %s of table %s: %s",
            target.masters(), name(), target.argument(0), e.getMessage());
      }
      return DONE;
    }

    private static long limit(String text) {
      if (text.equals(UNLIMITED)) {
        return NO_LIMIT;
      }
      try {
        long limit = Long.parseLong(text);
        if (limit >= 0) {
          return limit;
        }
      } catch (NumberFormatException e) {
        // handled like a negative number
      }
      throw KuduException.invalidArgument(
          "LIMIT is '%s'; it must be an integer of at least 0, or %s", text, UNLIMITED);
    }
  }

  /** Limits the bytes on disk. */
  @Command(
      name = "disk_size",
      description = "Limits the bytes of a table on disk. LIMIT is a number or unlimited.",
      footer = "  kudu table set_limit disk_size flights 1000000000")
  static final class DiskSize extends Limit {
    @Override
    AlterTableRequestPB.Builder change(long limit) {
      return AlterTableRequestPB.newBuilder().setDiskSizeLimit(limit);
    }

    @Override
    String name() {
      return "disk size";
    }
  }

  /** Limits the rows. */
  @Command(
      name = "row_count",
      description = "Limits the rows of a table. LIMIT is a number or unlimited.",
      footer = "  kudu table set_limit row_count flights unlimited")
  static final class RowCount extends Limit {
    @Override
    AlterTableRequestPB.Builder change(long limit) {
      return AlterTableRequestPB.newBuilder().setRowCountLimit(limit);
    }

    @Override
    String name() {
      return "row count";
    }
  }
}
